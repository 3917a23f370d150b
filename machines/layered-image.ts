import { docker } from "./docker";
import { OURS, ROLE } from "./names";
import { type TarEntry, tar } from "./tar";

/** What an image has more than the one below. */
export interface Layer {
    /** Debian's packages. */
    readonly packages: readonly string[];
    readonly files: readonly TarEntry[];
    /** Units that are enabled. */
    readonly units: readonly string[];
}

/** Makes an image of another one. @returns its name */
export async function layered(base: string, image: string, { packages, files, units }: Layer): Promise<string> {
    const script = [
        "set -eu",
        "apt-get update -q",
        `DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends ${packages.join(" ")}`,
        `systemctl enable ${units.join(" ")}`,
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
