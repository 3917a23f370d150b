/** `runtime.options` of Pulumi.yaml, as the official host reads them. */
export interface RuntimeOptions {
    /** Compile through the ts-node that the SDK carries. @default true */
    readonly typescript: boolean;
    readonly tsconfig?: string;
    /** Arguments for node, before the program. */
    readonly nodeargs: readonly string[];
}

export function parseOptions(options: Record<string, unknown>): RuntimeOptions {
    const { typescript = true, tsconfig, nodeargs = "" } = options;
    if (typeof typescript !== "boolean") throw new Error(`typescript must be true or false, got ${typescript}`);
    if (tsconfig !== undefined && typeof tsconfig !== "string")
        throw new Error(`tsconfig must be a path, got ${tsconfig}`);
    if (typeof nodeargs !== "string") throw new Error(`nodeargs must be a string, got ${nodeargs}`);
    return { typescript, tsconfig, nodeargs: splitWords(nodeargs) };
}

/** Splits as a shell does, with quotes and backslashes but without any expansion. */
export function splitWords(text: string): string[] {
    const quoted = /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gs;
    const word = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+/gs;
    if (/\S/.test(text.replace(word, ""))) throw new Error(`nodeargs must have closed quotes, got ${text}`);
    return (text.match(word) ?? []).map((part) =>
        part.replace(quoted, (_, double?: string, single?: string, escaped?: string) => {
            return double?.replace(/\\(["\\$`])/g, "$1") ?? single ?? escaped ?? "";
        }),
    );
}
