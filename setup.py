"""Maps the applications at the top of the repository into the one installed package."""

from setuptools import find_packages, setup

APPLICATIONS = ("server", "client")

setup(
    packages=[
        *find_packages(include=["quoridor_net", "quoridor_net.*"]),
        *(
            f"quoridor_net.{package}"
            for name in APPLICATIONS
            for package in find_packages(include=[name, f"{name}.*"])
        ),
    ],
    package_dir={f"quoridor_net.{name}": name for name in APPLICATIONS},
)
