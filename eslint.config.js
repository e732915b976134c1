import js from "@eslint/js";

const BROWSER = [
  "AbortController", "AudioContext", "GainNode", "OscillatorNode", "clearInterval", "clearTimeout", "crypto", "document", "Element", "fetch", "FormData", "getSelection", "globalThis", "localStorage", "location",
  "cancelAnimationFrame", "navigator", "performance", "queueMicrotask", "requestAnimationFrame", "setInterval", "setTimeout", "structuredClone",
  "URL", "WebSocket", "Blob", "ResizeObserver", "DecompressionStream", "Response", "Intl", "atob", "history", "console",
];

export default [
  js.configs.recommended,
  {
    languageOptions: {
      ecmaVersion: 2023,
      sourceType: "module",
      globals: Object.fromEntries(BROWSER.map((name) => [name, "readonly"])),
    },
    rules: {
      "eqeqeq": "error",
      "no-console": "error",
      "no-eval": "error",
      "no-implicit-coercion": "error",
      "no-restricted-properties": [
        "error",
        ...["innerHTML", "outerHTML", "insertAdjacentHTML"].map((property) => ({
          property,
          message: "Text from the network must stay text: use dom.js.",
        })),
      ],
      "no-restricted-syntax": [
        "error",
        {
          selector: "ImportSpecifier[imported.name!=/./], ImportDefaultSpecifier, ImportNamespaceSpecifier",
          message: "Import names as they are: a report puts all modules into one script.",
        },
        { selector: "ExportDefaultDeclaration, ExportAllDeclaration", message: "Export names where they are declared." },
      ],
      "no-var": "error",
      "prefer-const": "error",
    },
  },
  {
    files: ["tests/**"],
    languageOptions: { globals: Object.fromEntries(["Event", "EventTarget", "MessageEvent", "process"].map((name) => [name, "readonly"])) },
    rules: { "no-restricted-syntax": "off" },
  },
  { files: ["eslint.config.js"], rules: { "no-restricted-syntax": "off" } },
];
