import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Item, Tool } from "./item";
import { itemsFor } from "./items";
import { KUBERNETES_VERSIONS } from "./lock";

/** A C library's header that a build includes, and Debian's package for it. */
const HEADERS: readonly Tool[] = [{ command: "/usr/include/blkid/blkid.h", package: "libblkid-dev" }];

const ALWAYS: readonly Tool[] = [{ command: "flock", package: "util-linux" }];

/** All that filling the cache may take from the machine: programs (or headers, by path) and their packages. */
export function prerequisites(items: readonly Item[] = itemsFor(KUBERNETES_VERSIONS)): Tool[] {
    const isIgnitionWanted = items.some(({ group }) => group === "ignition");
    const tools = [...ALWAYS, ...items.flatMap((item) => item.tools), ...(isIgnitionWanted ? HEADERS : [])];
    return [...new Map(tools.map((tool) => [tool.command, tool])).values()];
}

/** Those of the prerequisites that this machine does not have. */
export function missingPrerequisites(items?: readonly Item[]): Tool[] {
    return prerequisites(items).filter(({ command }) => !isThere(command));
}

/** Rejects, with the command that helps, what cannot work here. */
export function assertPrerequisites(items: readonly Item[]): void {
    const missing = missingPrerequisites(items);
    if (missing.length > 0) {
        const packages = [...new Set(missing.map((tool) => tool.package))].sort();
        const names = missing.map(({ command }) => command).join(", ");
        throw new Error(
            `not installed here: ${names}\nTo install on Debian or Ubuntu: apt-get install ${packages.join(" ")}`,
        );
    }
    if (items.some(({ group }) => group === "rootfs" || group === "images") && process.getuid?.() !== 0) {
        throw new Error("debootstrap and chroot, which make the images, must be run as root: use sudo");
    }
}

function isThere(command: string): boolean {
    if (command.startsWith("/")) {
        return existsSync(command);
    }
    // debootstrap lives where a user's path may not lead.
    const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/sbin"];
    return folders.some((folder) => {
        try {
            accessSync(join(folder, command), constants.X_OK);
            return true;
        } catch {
            return false;
        }
    });
}
