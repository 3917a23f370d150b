import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { keyOf } from "./checksum";
import { run } from "./command";
import type { Item } from "./item";
import { parts, versions } from "./lock";
import { binaryPlace, itemId } from "./part-items";
import { debianItem } from "./rootfs";

const { containerd } = parts;

/** Where nodes' mirror has them, below the file server's root. */
export const runtimeFiles = {
    containerd: `containerd/v${versions.containerd}/containerd-static-${versions.containerd}-linux-amd64.tar.gz`,
    runc: `runc/v${versions.runc}/runc.amd64`,
};

/** containerd and runc as machines fetch them whose OS has none: in the shape of their projects' releases. */
export const runtimeItem: Item = {
    id: "containerd and runc to be fetched",
    group: "container-runtime",
    lane: "other",
    needs: [debianItem.id, itemId(containerd, "containerd")],
    key: keyOf(containerd, versions.runc, debianItem.key),
    how: "packing what machines have",
    tools: [],
    make: async ({ scratch, keep, path }) => {
        const bin = join(scratch, "bin");
        await mkdir(bin);
        const binaries = Object.keys(containerd.go.binaries).map((name) => path(binaryPlace(containerd, name)));
        await run("cp", [...binaries, bin]);
        const archive = join(scratch, "containerd.tar.gz");
        const reproducible = ["--sort=name", "--mtime=@1", "--owner=0", "--group=0", "--use-compress-program=gzip -1n"];
        await run("tar", [...reproducible, "-C", scratch, "-cf", archive, "bin"]);
        await run("tar", ["-xf", path("rootfs/debian.tar"), "-C", scratch, "./usr/sbin/runc"]);
        const places = Object.values(runtimeFiles).map((each) => `files/${each}`) as [string, string];
        await keep(archive, places[0]);
        await keep(join(scratch, "usr/sbin/runc"), places[1]);
        return { source: "built", places };
    },
};
