import type { BuildOptions } from "esbuild";

/** How a program of ours becomes one file beside which the others lie, with its source map apart. @param root - of the checkout */
export function programBuild(root: string, entry: string) {
    return {
        absWorkingDir: root,
        entryPoints: [entry],
        outfile: entry.replace(/ts$/, "js"),
        bundle: true,
        write: false,
        metafile: true,
        platform: "node",
        // The oldest that runs us: another Node may run what this one kept.
        target: "node20",
        format: "cjs",
        sourcemap: "external",
        sourcesContent: false,
        // The checkout's compiler settings must not matter.
        tsconfigRaw: {},
    } as const satisfies BuildOptions;
}

/** What such a build wrote. */
export function programFiles(outputFiles: readonly { readonly path: string; readonly text: string }[]) {
    const [map, text] = ["map", "js"].map((end) => outputFiles.find(({ path }) => path.endsWith(end))!.text);
    return { text: text!, map: map! };
}
