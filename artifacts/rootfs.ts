import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { binaryPlace } from "../cache";
import { keyOf, sha256File } from "./checksum";
import { run } from "./command";
import { debian, REMOVED_UNITS, STRIPPED_PATHS } from "./debian";
import { archiveDebian, byDebootstrap } from "./debootstrap";
import type { Item, Workshop } from "./item";
import { parts } from "./lock";

const DEBIAN_TAR = "rootfs/debian.tar";
const MACHINE_TAR = "rootfs/machine.tar";
const MACHINE_JSON = "rootfs/machine.json";

/** The Debian system that machines and images are based on. */
export const debianItem: Item = {
    id: `debian ${debian.suite}`,
    group: "rootfs",
    ...byDebootstrap,
    key: keyOf(debian, REMOVED_UNITS, STRIPPED_PATHS),
    how: `installing ${debian.packages.length} packages by debootstrap`,
    make: async (workshop) => {
        const { suite, packages } = debian;
        const system = { suite, packages, disabledUnits: REMOVED_UNITS, removedPaths: STRIPPED_PATHS };
        await workshop.keep(await archiveDebian(system, workshop), DEBIAN_TAR);
        return { source: "official", places: [DEBIAN_TAR] };
    },
};

/** The programs that machines have in addition to Debian's, and what of Debian they replace. */
const machineParts = [parts.containerd, parts.runc, parts.ignition];
const REPLACED = ["./usr/bin/runc", "./usr/sbin/runc"];

/** A machine's operating system: Debian with our programs; `machine.json` lists its contents. */
export const machineItem: Item = {
    id: "machine root filesystem",
    group: "rootfs",
    lane: "other",
    needs: [debianItem.id, ...machineParts.map(({ name, version }) => `${name} ${version}`)],
    key: keyOf(debianItem.key, machineParts, REPLACED),
    how: "adding containerd, runc and Ignition",
    tools: [],
    make: async (workshop) => {
        const { scratch, keep, path } = workshop;
        const bin = join(scratch, "root", "usr", "bin");
        const units = join(scratch, "root", "usr", "lib", "systemd", "system");
        await mkdir(bin, { recursive: true });
        await mkdir(units, { recursive: true });
        for (const part of machineParts) {
            const binaries = Object.keys(part.go.binaries).map((name) => path(binaryPlace(part, name)));
            await run("cp", [...binaries, bin]);
        }
        await run("cp", [join(__dirname, "rootfs", "containerd.service"), units]);
        const tar = join(scratch, "machine.tar");
        await run("cp", [path(DEBIAN_TAR), tar]);
        await run("tar", ["--delete", "-f", tar, ...REPLACED]);
        // Files only: the folders are in the archive, and an engine rejects an archive with duplicate paths.
        const added = (await run("find", [".", "-type", "f"], { cwd: join(scratch, "root") })).trim().split("\n");
        await run("tar", [
            "--sort=name",
            "--mtime=@1",
            "--owner=0",
            "--group=0",
            "--numeric-owner",
            "-C",
            join(scratch, "root"),
            "-rf",
            tar,
            ...added,
        ]);
        await describe(tar, workshop);
        await keep(tar, MACHINE_TAR);
        await keep(join(scratch, "machine.json"), MACHINE_JSON);
        return { source: "built", places: [MACHINE_TAR, MACHINE_JSON] };
    },
};

async function describe(tar: string, { scratch }: Workshop): Promise<void> {
    await run("tar", ["-xf", tar, "-C", scratch, "./var/lib/dpkg/status"]);
    const status = await readFile(join(scratch, "var", "lib", "dpkg", "status"), "utf8");
    const contents = {
        sha256: await sha256File(tar),
        containerd: parts.containerd.version,
        runc: parts.runc.version,
        ignition: parts.ignition.version,
        packages: installedPackages(status),
    };
    await writeFile(join(scratch, "machine.json"), `${JSON.stringify(contents, null, 2)}\n`);
}

/** Package name to version, from dpkg's own record. */
export function installedPackages(status: string): Record<string, string> {
    const found = [...status.matchAll(/^Package: (\S+)$[\s\S]*?^Version: (\S+)$/gm)];
    return Object.fromEntries(found.map(([, name, version]) => [name, version]));
}
