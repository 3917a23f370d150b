import { execFileSync } from "node:child_process";
import { isInstalled } from "../command-line/is-installed";
import type { Item, Way } from "./item";
import { itemsFor } from "./items";
import { neededItems } from "./needed";
import type { Tool } from "./part";
import { isFetched } from "./way";

/** From this version on Go downloads the toolchain that a module requires. */
const OLDEST_GO = 21;

const DOCKER: Tool = { command: "docker", package: "docker.io" };

const ALWAYS: readonly Tool[] = [
    { command: "flock", package: "util-linux" },
    { command: "tar", package: "tar" },
];

/** Everything that filling the cache may need from the machine: programs, or files by full path, and their packages. */
export function prerequisites(items: readonly Item[] = itemsFor(), way: Way = "offline"): Tool[] {
    const toolsOf = (item: Item) => (item.inContainer && way === "online" ? [DOCKER] : item.tools);
    const tools = [
        ...ALWAYS,
        ...neededItems(items, way).flatMap((item) => (isFetched(item, way) ? [] : toolsOf(item))),
    ];
    return [...new Map(tools.map((tool) => [tool.command, tool])).values()];
}

/** The prerequisites that this machine lacks. */
export function missingPrerequisites(items?: readonly Item[], way?: Way): Tool[] {
    return prerequisites(items, way).filter(({ command }) => !isInstalled(command));
}

/** Rejects if a prerequisite is missing, with the command that installs it. */
export function assertPrerequisites(items: readonly Item[], way: Way): void {
    const missing = missingPrerequisites(items, way);
    if (missing.length > 0) {
        const packages = [...new Set(missing.map((tool) => tool.package))].sort();
        const names = missing.map(({ command }) => command).join(", ");
        throw new Error(`not installed here: ${names}\non Debian or Ubuntu: apt-get install ${packages.join(" ")}`);
    }
    const isBuiltByRoot = (item: Item) =>
        item.needsRoot && !isFetched(item, way) && !(item.inContainer && way === "online");
    if (neededItems(items, way).some(isBuiltByRoot) && process.getuid?.() !== 0) {
        throw new Error("building the root filesystem and the images requires root (debootstrap, chroot): use sudo");
    }
    if (prerequisites(items, way).some(({ command }) => command === "go")) {
        assertGoVersion(execFileSync("go", ["env", "GOVERSION"], { encoding: "utf8" }).trim());
    }
}

/** Rejects a Go version that can neither build nor download a newer one that can. */
export function assertGoVersion(version: string): void {
    const minor = Number(/^go1\.(\d+)/.exec(version)?.[1] ?? Number.NaN);
    if (minor < OLDEST_GO) {
        throw new Error(`go must be 1.${OLDEST_GO} or newer (got ${version}): see https://go.dev/doc/install`);
    }
}
