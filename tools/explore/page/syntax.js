// Colours of the languages.

import { HighlightStyle, StreamLanguage, clike, syntaxHighlighting, tags, yaml } from "./vendor/codemirror.js";

/** A language whose words are told apart by patterns, in order. */
function words(patterns) {
  return StreamLanguage.define({
    token(stream) {
      for (const [pattern, kind] of patterns) if (stream.match(pattern)) return kind;
      stream.next();
      return null;
    },
  });
}

const STRING = [/"(?:[^"\\]|\\.)*"?/, "string"];
const NUMBER = [/-?(?:0x[\da-f]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?)\b/i, "number"];

const mlir = words([
  [/\/\/.*/, "comment"], STRING, [/%[\w$.#-]+/, "variableName"], [/[!#][\w$.]+/, "typeName"], [/[@^][\w$.-]+/, "labelName"],
  [/[a-z_]\w*\.[\w.]+/, "keyword"], [/(?:memref|vector|tensor|index|[fi]\d+|bf16|tf32)\b/, "typeName"],
  [/(?:module|func|return|to|step|iter_args|loc)\b/, "keyword"], [/[A-Za-z_][\w$]*/, null], NUMBER,
]);
const llvm = words([
  [/;.*/, "comment"], STRING, [/%[\w$.-]+/, "variableName"], [/[@!#][\w$.-]*/, "labelName"],
  [/(?:ptr|void|half|bfloat|float|double|i\d+|label|metadata)\b/, "typeName"],
  [/(?:define|declare|call|ret|br|load|store|add|mul|sub|fadd|fmul|getelementptr|phi|icmp|select|alloca)\b/, "keyword"],
  [/[A-Za-z_][\w.]*/, null], NUMBER,
]);
const spirv = words([
  [/;.*/, "comment"], STRING, [/%\w+/, "variableName"], [/OpType\w+/, "typeName"], [/Op\w+/, "keyword"],
  [/[A-Za-z_]\w*/, null], NUMBER,
]);
const assembly = words([
  [/\/\/.*/, "comment"], [/\/\*.*?\*\//, "comment"], [/\.[a-z]\w*/, "keyword"], [/r\d+(?:\.\d+)?\b/, "variableName"],
  [/:[a-z]{1,2}\b/, "typeName"], [/[A-Za-z_]\w*:/, "labelName"], [/[a-z][a-z_]*\w*(?:\.\w+)*/, "keyword"], NUMBER,
]);

const LANGUAGES = {
  mlir, llvm, spirv, "xe-asm": assembly, "xe-native": assembly, yaml: StreamLanguage.define(yaml),
  opencl: StreamLanguage.define(clike({
    name: "opencl",
    keywords: Object.fromEntries("kernel global local constant private const if else for while return struct switch case break continue do __kernel __global __local".split(" ").map((word) => [word, true])),
    types: /^(?:u?(?:char|short|int|long)\d*|float\d*|half\d*|double\d*|void|bool|size_t)$/,
  })),
};

const style = HighlightStyle.define([
  { tag: tags.comment, color: "var(--comment)" },
  { tag: tags.keyword, color: "var(--keyword)" },
  { tag: tags.variableName, color: "var(--value)" },
  { tag: [tags.typeName, tags.standard(tags.typeName)], color: "var(--type)" },
  { tag: tags.labelName, color: "var(--text)" },
  { tag: tags.string, color: "var(--text)" },
  { tag: [tags.number, tags.atom, tags.bool], color: "var(--number)" },
]);

/** Returns the extension of an editor that colours a language; none for plain text. */
export function colours(language) {
  return LANGUAGES[language] === undefined ? [] : [LANGUAGES[language], syntaxHighlighting(style)];
}
