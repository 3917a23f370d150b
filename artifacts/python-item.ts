import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { keyOf } from "./checksum";
import { run } from "./command";
import type { Item } from "./item";
import { pulumiPython } from "./lock";

const REQUIREMENTS = join(__dirname, "python/requirements.txt");

/** Path of the packages in the cache: one archive, to be unpacked into a virtual environment's `site-packages`. */
export const pythonPackages = `bin/${pulumiPython.name}/${pulumiPython.version}/site-packages.tar`;

/** Packages with native code depend on the processor and the Python version, so another Python needs others. */
export const pythonItem = (): Item => ({
    id: `${pulumiPython.name} ${pulumiPython.version}`,
    group: pulumiPython.name,
    lane: "other",
    key: keyOf(pulumiPython, pythonTag(), readFileSync(REQUIREMENTS, "utf8")),
    how: "fetching the packages of artifacts/python/requirements.txt",
    tools: [
        { command: "python3", package: "python3" },
        { command: "pip3", package: "python3-pip" },
    ],
    make: async ({ scratch, keep }) => {
        const folder = join(scratch, "site-packages");
        const archive = join(scratch, "site-packages.tar");
        const exact = ["--require-hashes", "--no-deps", "--only-binary=:all:", "--no-compile"];
        const quiet = ["--quiet", "--disable-pip-version-check", "--root-user-action=ignore"];
        await run("pip3", ["install", ...exact, ...quiet, "--target", folder, "--requirement", REQUIREMENTS]);
        await run("tar", ["-C", folder, "-cf", archive, "."]);
        await keep(archive, pythonPackages);
        return { source: "official", places: [pythonPackages] };
    },
});

/** Such as `cpython-311`. */
function pythonTag(): string {
    const code = "import sys; print(sys.implementation.cache_tag)";
    return spawnSync("python3", ["-c", code], { encoding: "utf8" }).stdout?.trim() || "no Python";
}
