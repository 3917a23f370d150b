import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { cacheDir } from "../cache";
import { CLOUD_INIT_ADDITIONS, CLOUD_INIT_PACKAGES } from "./cloud-init";
import { docker } from "./docker";
import type { Layer } from "./layer";
import { OURS, ROLE } from "./names";
import { LIKE, type MachineOs, type OsLike, osesOf } from "./os-like";
import { type TarEntry, tar } from "./tar";

/** Builds an image on top of another one. @returns its name */
async function layered(base: string, image: string, { packages, files, units, commands = [] }: Layer): Promise<string> {
    const script = [
        "set -eu",
        "apt-get update -q",
        `DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends ${packages.join(" ")}`,
        `systemctl enable ${units.join(" ")}`,
        ...commands,
        "rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin /var/cache/apt/archives/*.deb",
    ].join("\n");
    const labels = ["--label", `${OURS}=1`, "--label", `${ROLE}=image`];
    const container = (await docker(["create", ...labels, "--network", "host", base, "sh", "-c", script])).trim();
    try {
        await docker(["cp", "-", `${container}:/`], { input: tar(files) });
        await docker(["start", "--attach", container], { timeout: 600_000 });
        await docker(["commit", "--change", 'CMD ["/sbin/machine-init"]', container, image], { timeout: 600_000 });
    } finally {
        await docker(["rm", "--force", "--volumes", container]);
    }
    return image;
}

/** Thin layers on top of the first image, in order, for other kinds of machines. */
const LAYERS: Readonly<Record<"cloud-init" | OsLike, Layer>> = {
    "cloud-init": {
        packages: CLOUD_INIT_PACKAGES,
        files: CLOUD_INIT_ADDITIONS,
        units: ["cloud-init-done.service"],
    },
    ...LIKE,
};

const LIB = "usr/lib/tradewind";

/** Files we add to the operating system: path in the image, and file in `image/`. */
const ADDITIONS: Readonly<Record<string, { source: string; mode?: number }>> = {
    "sbin/machine-init": { source: "machine-init", mode: 0o755 },
    [`${LIB}/host-quirks`]: { source: "host-quirks", mode: 0o755 },
    [`${LIB}/ipv6-address`]: { source: "ipv6-address", mode: 0o755 },
    [`${LIB}/imitate`]: { source: "imitate", mode: 0o755 },
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

/** A login prompt would take over the console's input, which is not used. */
const MASKED = ["console-getty.service", "getty@.service"];

/**
 * The image of a machine's operating system, built if the engine does not have it: the root filesystem from the
 * artifact cache plus our scripts, named by the content of both.
 */
export async function ensureImage(os: MachineOs = "ignition", like?: OsLike): Promise<string> {
    if (like !== undefined && !osesOf(like).includes(os)) {
        throw new Error(`--os must be ${osesOf(like).join(" or ")} for a machine like ${like} (got ${os})`);
    }
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
    // Imported under a separate name, so that `image` only exists when it is complete. Remove the containers of runs
    // that were killed; those of concurrent runs are younger.
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

/** Removes images of earlier versions, unless a machine still runs from them. */
async function removeUnused(current: string): Promise<void> {
    const images = await docker(["image", "ls", "--format", "{{.Repository}}:{{.Tag}}", "tradewind/machine"]);
    const old = images.split("\n").filter((image) => image && !image.startsWith(current));
    await Promise.all(old.map((image) => docker(["image", "rm", image]).catch(() => undefined)));
}

async function hasImage(image: string): Promise<boolean> {
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

/** The root filesystem's description stands in for its content: hashing 300 MB at every start is too slow. */
function contentHash(): string {
    const hash = createHash("sha256");
    const description = join(cacheDir(), "rootfs", "machine.json");
    const { size, mtimeMs } = statSync(rootfs());
    hash.update(existsSync(description) ? readFileSync(description) : `${size} ${mtimeMs}`);
    hash.update(tar([...additions(), ...Object.values(LAYERS).flatMap(({ files }) => files)]));
    hash.update(
        JSON.stringify(Object.values(LAYERS).map(({ packages, units, commands }) => [packages, units, commands])),
    );
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
