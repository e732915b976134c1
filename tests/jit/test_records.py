"""Python code and kernels see the same records."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest

from quoridor_net.jit.arrays import Array, NumberTable, Words
from quoridor_net.jit.cache import KernelCache
from quoridor_net.jit.records import (
    element_type,
    index_records,
    kernel_type,
    new_array,
    new_record,
    new_records,
    record_type,
)
from quoridor_net.jit.types import NUMBER, type_of


class Point:
    across: int
    weight: Annotated[float, np.float32]


class Shape:
    points: Annotated[Array[Point], 3]
    centre: Point
    counts: Annotated[Words, 4]
    table: Annotated[NumberTable, 2, 3]
    others: int


def test_the_numpy_type_has_the_fields_of_the_class() -> None:
    kind = record_type(Shape)
    assert kind.names == ("points", "centre", "counts", "table", "others")
    assert kind["points"].shape == (3,)
    assert kind["table"] == np.dtype((np.int16, (2, 3)))
    assert kind["centre"] == record_type(Point)
    assert record_type(Point)["weight"] == np.float32


def test_python_reads_the_values_that_it_sets() -> None:
    shape: Any = new_record(Shape)
    shape.others = 7
    shape.centre.across = -3
    shape.points[2].weight = 0.5
    shape.counts[:2] = 5, 6
    assert (shape.others, shape.centre.across, shape.points[2].weight) == (7, -3, 0.5)
    assert shape.counts.tolist() == [5, 6, 0, 0]
    shape.points[0].copy_from(shape.points[2])
    assert shape.points[0].weight == 0.5
    with pytest.raises(AttributeError, match="outline"):
        print(shape.outline)


def test_kernels_change_the_record_they_are_given(tmp_path: Path) -> None:
    compiled = KernelCache(tmp_path, error_model="numpy", _nrt=False)
    point_at = index_records(Point)

    @compiled.typed(NUMBER(kernel_type(Shape), NUMBER))
    def double_of(shape: Shape, number: int) -> int:
        return 2 * number if number else shape.others

    @compiled.kernel
    def change(shape: Shape) -> int:
        shape.points[1] = shape.centre
        shape.points[1].across += 1
        shape.counts[3] = double_of(shape, shape.centre.across)
        shape.table[1, 2] = 9
        last = point_at(shape.others, 4)
        last.across = 11
        return shape.counts[3]

    shape: Any = new_record(Shape)
    points = new_records(Point, 5)
    shape.others = points.address
    shape.centre.across = 20
    assert change(shape) == 40
    assert [shape.points[number].across for number in range(3)] == [0, 21, 0]
    assert shape.table.tolist() == [[0, 0, 0], [0, 0, 9]]
    assert (points[4].across, points[3].across, len(points)) == (11, 0, 5)
    points.clear()
    assert points[4].across == 0


def test_kernels_take_arrays_of_records_and_hand_on_their_elements(tmp_path: Path) -> None:
    compiled = KernelCache(tmp_path, error_model="numpy", _nrt=False)

    @compiled.typed(NUMBER(element_type(Point), NUMBER))
    def move(point: Point, distance: int) -> int:
        point.across += distance
        return point.across

    points = new_array(Point, 3)

    @compiled.typed(NUMBER(type_of(points)))
    def move_last(points: Array[Point]) -> int:
        return move(points[len(points) - 1], 5)

    assert move_last(points) == 5
    assert [point["across"] for point in points] == [0, 0, 5]
