import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { cacheDir } from "../artifacts/cache-dir";
import { CLOUD_INIT_ADDITIONS, CLOUD_INIT_PACKAGES } from "./cloud-init";
import { docker } from "./docker";
import { type Layer, layered } from "./layered-image";
import { LIKE_UBUNTU } from "./like-ubuntu";
import { OURS, ROLE } from "./names";
import { type TarEntry, tar } from "./tar";

/** How a machine is told what to be: by Ignition, or by cloud-init. */
export type MachineOs = "ignition" | "cloud-init";

export const MACHINE_OSES: readonly MachineOs[] = ["ignition", "cloud-init"];

/** An operating system that a machine imitates. */
export type OsLike = "ubuntu";

export const OS_LIKES: readonly OsLike[] = ["ubuntu"];

/** What the first image gets on top, thin layers in their order, for machines of another kind. */
const LAYERS: Readonly<Record<"cloud-init" | OsLike, Layer>> = {
    "cloud-init": {
        packages: CLOUD_INIT_PACKAGES,
        files: CLOUD_INIT_ADDITIONS,
        units: ["cloud-init-done.service"],
    },
    ubuntu: LIKE_UBUNTU,
};

const LIB = "usr/lib/tradewind";

/** What we add to the operating system: its path in the image, and its file in `image/`. */
const ADDITIONS: Readonly<Record<string, { source: string; mode?: number }>> = {
    "sbin/machine-init": { source: "machine-init", mode: 0o755 },
    [`${LIB}/host-quirks`]: { source: "host-quirks", mode: 0o755 },
    [`${LIB}/ipv6-address`]: { source: "ipv6-address", mode: 0o755 },
    [`${LIB}/like-ubuntu`]: { source: "like-ubuntu", mode: 0o755 },
    [`${LIB}/udev-links`]: { source: "udev-links", mode: 0o755 },
    [`${LIB}/cloud-link`]: { source: "cloud-link", mode: 0o755 },
    [`${LIB}/cloud-seed`]: { source: "cloud-seed", mode: 0o755 },
    [`${LIB}/ignite`]: { source: "ignite", mode: 0o755 },
    [`${LIB}/infra`]: { source: "infra", mode: 0o755 },
    [`${LIB}/dns-record`]: { source: "dns-record", mode: 0o755 },
    [`${LIB}/load-balancer-reload`]: { source: "load-balancer-reload", mode: 0o755 },
    [`${LIB}/follow-bootstrap`]: { source: "follow-bootstrap", mode: 0o755 },
    "etc/systemd/journald.conf.d/50-console.conf": { source: "journald.conf" },
};

/** A login prompt would take the console's keyboard, which nobody sits at. */
const MASKED = ["console-getty.service", "getty@.service"];

/**
 * The image of a machine's operating system, made if the engine does not have it:
 * the root filesystem from the artifact cache and our own few scripts, named by the content of both.
 */
export async function ensureImage(os: MachineOs = "ignition", like?: OsLike): Promise<string> {
    const base = `tradewind/machine:${contentHash()}`;
    const layers = [os === "cloud-init" ? os : undefined, like].filter((layer) => layer !== undefined);
    const image = [base, ...layers].join("-");
    if (await hasImage(image)) {
        return image;
    }
    const last = layers.at(-1);
    if (last !== undefined) {
        return layered(await (like ? ensureImage(os) : ensureImage()), image, LAYERS[last]);
    }
    // Imported under a name of its own: `image` exists only when it is whole.
    // A run that was killed left its container; a concurrent one's is younger.
    await docker(["container", "prune", "--force", "--filter", `label=${ROLE}=image`, "--filter", "until=10m"]);
    const imported = (await docker(["import", rootfs()], { timeout: 600_000 })).trim();
    const container = (
        await docker(["create", "--label", `${OURS}=1`, "--label", `${ROLE}=image`, imported, "/sbin/machine-init"])
    ).trim();
    try {
        await docker(["cp", "-", `${container}:/`], { input: tar(additions()) });
        await docker(["commit", container, image], { timeout: 600_000 });
    } finally {
        await docker(["rm", "--force", "--volumes", container]);
    }
    await removeUnused(image);
    return image;
}

/** Images of earlier versions, unless a machine still runs from them. */
async function removeUnused(current: string): Promise<void> {
    const images = await docker(["image", "ls", "--format", "{{.Repository}}:{{.Tag}}", "tradewind/machine"]);
    const old = images.split("\n").filter((image) => image && !image.startsWith(current));
    await Promise.all(old.map((image) => docker(["image", "rm", image]).catch(() => undefined)));
}

export async function hasImage(image: string): Promise<boolean> {
    return (await docker(["image", "ls", "--quiet", image])).trim() !== "";
}

function additions(): TarEntry[] {
    const files = Object.entries(ADDITIONS).map(([path, { source, mode }]) => ({
        path,
        mode,
        contents: readFileSync(join(__dirname, "image", source)),
    }));
    return [...files, ...MASKED.map((unit) => ({ path: `etc/systemd/system/${unit}`, link: "/dev/null" }))];
}

/** The root filesystem's own description stands for its content: hashing 300 MB at every start is too slow. */
function contentHash(): string {
    const hash = createHash("sha256");
    const description = join(cacheDir(), "rootfs", "machine.json");
    const { size, mtimeMs } = statSync(rootfs());
    hash.update(existsSync(description) ? readFileSync(description) : `${size} ${mtimeMs}`);
    hash.update(tar([...additions(), ...Object.values(LAYERS).flatMap(({ files }) => files)]));
    return hash.digest("hex").slice(0, 12);
}

function rootfs(): string {
    const path = join(cacheDir(), "rootfs", "machine.tar");
    if (!existsSync(path)) {
        throw new Error(
            `the machines' root filesystem is not in the cache: npm run artifacts -- fill (looked for ${path})`,
        );
    }
    return path;
}
