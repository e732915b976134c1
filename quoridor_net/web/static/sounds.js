// The sounds of a game, made from tones, for readers who want them.

import { settings } from "./settings.js";

/**
 * A tone.
 * @typedef {object} Tone
 * @property {number} at start, in seconds
 * @property {number} from frequency at the start, in hertz
 * @property {number} to frequency at the end, in hertz
 * @property {number} length in seconds
 * @property {OscillatorType} shape
 */

/** @type {Record<"step" | "wall" | "low" | "end", Tone[]>} */
const SOUNDS = {
  step: [{ at: 0, from: 420, to: 210, length: 0.07, shape: "triangle" }],
  wall: [
    { at: 0, from: 190, to: 80, length: 0.1, shape: "triangle" },
    { at: 0.03, from: 900, to: 300, length: 0.03, shape: "square" },
  ],
  low: [0, 0.18].map((at) => ({ at, from: 880, to: 880, length: 0.09, shape: "sine" })),
  end: [523, 659, 784].map((pitch, index) => ({ at: 0.13 * index, from: pitch, to: pitch, length: 0.22, shape: "sine" })),
};

/** Loudness of a tone; 1 is the loudest possible. */
const LOUDNESS = 0.18;

/** @type {AudioContext | null} */
let audio = null;

/**
 * Plays a sound if the reader wants sounds.
 * @param {keyof typeof SOUNDS} name
 */
export function playSound(name) {
  if (!settings().sounds || globalThis.AudioContext === undefined) return;
  audio ??= new AudioContext();
  // Browsers keep pages silent until the reader has clicked or typed; late sounds would be wrong.
  if (audio.state !== "running") {
    void audio.resume();
    return;
  }
  for (const tone of SOUNDS[name]) playTone(audio, tone);
}

/** @param {AudioContext} context @param {Tone} tone */
function playTone(context, { at, from, to, length, shape }) {
  const start = context.currentTime + at;
  const volume = new GainNode(context, { gain: LOUDNESS });
  volume.gain.setValueAtTime(LOUDNESS, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  const source = new OscillatorNode(context, { type: shape, frequency: from });
  source.frequency.setValueAtTime(from, start);
  source.frequency.exponentialRampToValueAtTime(to, start + length);
  source.connect(volume).connect(context.destination);
  source.start(start);
  source.stop(start + length);
}
