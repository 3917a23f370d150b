import type { BuildOptions } from "esbuild";

/**
 * Build options that bundle a program into one file, placed next to the original ones, with a separate source map.
 *
 * @param root - of the checkout
 */
export function programBuild(root: string, entry: string) {
    return {
        absWorkingDir: root,
        entryPoints: [entry],
        outfile: entry.replace(/ts$/, "js"),
        bundle: true,
        write: false,
        metafile: true,
        platform: "node",
        // The oldest supported Node, because another version may run this build later.
        target: "node20",
        format: "cjs",
        sourcemap: "external",
        sourcesContent: false,
        // Independent of the checkout's compiler settings.
        tsconfigRaw: {},
    } as const satisfies BuildOptions;
}

/** The output of such a build. */
export function programFiles(outputFiles: readonly { readonly path: string; readonly text: string }[]) {
    const [map, text] = ["map", "js"].map((end) => outputFiles.find(({ path }) => path.endsWith(end))!.text);
    return { text: text!, map: map! };
}
