import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { keyOf } from "./checksum";
import { run } from "./command";
import type { Item } from "./item";
import { parts, testParts, versions } from "./lock";
import type { Part } from "./part";
import { binaryPlace, itemId } from "./part-items";
import { debianItem } from "./rootfs";

/** Where nodes' mirror has them, below the file server's root. */
export function runtimeFiles(version: string = versions.containerd) {
    return {
        containerd: `containerd/v${version}/containerd-static-${version}-linux-amd64.tar.gz`,
        runc: `runc/v${versions.runc}/runc.amd64`,
    };
}

/** runc as machines fetch it whose OS has none. */
const runcItem: Item = {
    id: "runc to be fetched",
    group: "container-runtime",
    lane: "other",
    needs: [debianItem.id],
    key: keyOf(versions.runc, debianItem.key),
    how: "packing what machines have",
    tools: [],
    make: async ({ scratch, keep, path }) => {
        await run("tar", ["-xf", path("rootfs/debian.tar"), "-C", scratch, "./usr/sbin/runc"]);
        const place = `files/${runtimeFiles().runc}` as const;
        await keep(join(scratch, "usr/sbin/runc"), place);
        return { source: "built", places: [place] };
    },
};

/** The same of containerd: in the shape of its project's releases. */
function containerdItem(containerd: Part, group: string): Item {
    return {
        id: `containerd ${containerd.version} to be fetched`,
        group,
        lane: "other",
        needs: [itemId(containerd, "containerd")],
        key: keyOf(containerd),
        how: "packing what machines have",
        tools: [],
        make: async ({ scratch, keep, path }) => {
            const bin = join(scratch, "bin");
            await mkdir(bin);
            const binaries = Object.keys(containerd.go.binaries).map((name) => path(binaryPlace(containerd, name)));
            await run("cp", [...binaries, bin]);
            const archive = join(scratch, "containerd.tar.gz");
            const reproducible = ["--sort=name", "--mtime=@1", "--owner=0", "--group=0"];
            const packed = ["--use-compress-program=gzip -1n", "-C", scratch, "-cf", archive, "bin"];
            await run("tar", [...reproducible, ...packed]);
            const place = `files/${runtimeFiles(containerd.version).containerd}` as const;
            await keep(archive, place);
            return { source: "built", places: [place] };
        },
    };
}

/** The group of what such machines are given later, in tests. */
export const otherRuntime = "other-container-runtime";

/** containerd and runc as machines fetch them whose OS has none. */
export const runtimeItems: readonly Item[] = [
    runcItem,
    containerdItem(parts.containerd, runcItem.group),
    containerdItem(testParts.otherContainerd, otherRuntime),
];

/** The group of what such machines boot with. */
export const firstRuntime = runcItem.group;
