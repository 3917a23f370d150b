import { join } from "node:path";
import { run } from "./command";
import type { GoBuild, Tool } from "./part";
import { platform } from "./platform";
import { folderWith } from "./renamed-module";

export const GO: Tool = { command: "go", package: "golang-go" };

export const C_COMPILER: readonly Tool[] = [
    { command: "gcc", package: "gcc" },
    { command: "/usr/include/stdlib.h", package: "libc6-dev" },
];

/** Builds one binary of a pinned module for this machine's processor. */
export async function goBuild(
    { folder, binaries, tags = [], ldflags = [], cgo, renamed }: GoBuild,
    binary: string,
    target: string,
): Promise<void> {
    const cwd = renamed ? await folderWith(renamed, goFolder(folder), `${target}.build`) : goFolder(folder);
    const linker = ["-s -w", ...ldflags, ...(cgo === "static" ? ["-extldflags -static"] : [])].join(" ");
    const flags = ["-trimpath", "-buildvcs=false", "-tags", tags.join(","), "-ldflags", linker];
    await run("go", ["build", ...flags, "-o", target, binaries[binary]!], {
        cwd,
        env: { CGO_ENABLED: cgo ? "1" : "0", GOOS: "linux", GOARCH: platform().arch },
    });
}

/** The folder with a part's go.mod and go.sum. */
export function goFolder(folder: string): string {
    return join(__dirname, "go", folder);
}
