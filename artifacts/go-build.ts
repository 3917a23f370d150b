import { join } from "node:path";
import { run } from "./command";
import type { GoBuild } from "./part";
import { platform } from "./platform";

/** Builds one binary of a pinned module for this machine's processor. */
export async function goBuild(
    { folder, binaries, ldflags = [], cgo }: GoBuild,
    binary: string,
    target: string,
): Promise<void> {
    const linker = ["-s -w", ...ldflags, ...(cgo === "static" ? ["-extldflags -static"] : [])].join(" ");
    await run("go", ["build", "-trimpath", "-buildvcs=false", "-ldflags", linker, "-o", target, binaries[binary]], {
        cwd: goFolder(folder),
        env: { CGO_ENABLED: cgo ? "1" : "0", GOOS: "linux", GOARCH: platform().arch },
    });
}

/** The folder with a part's go.mod and go.sum. */
export function goFolder(folder: string): string {
    return join(__dirname, "go", folder);
}
