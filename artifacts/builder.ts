import { repositoryUrl } from "../clients/registry";
import { run } from "./command";
import type { Workshop } from "./item";
import { builder } from "./lock";

/** Where its image comes from. */
export const builderUrl = repositoryUrl(builder.image);

/** Settings of this machine that downloads in a container need, too. */
const PASSED = ["GOPROXY", "GONOSUMDB", "GOSUMDB", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];

interface BuildRun {
    /** Debian packages that it needs. */
    readonly packages: readonly string[];
    /** Its results are files in `/out`, which is the item's scratch folder. */
    readonly script: string;
    readonly arguments: readonly string[];
    /** A folder that it sees as `/source`. @default none */
    readonly source?: string;
}

/** Runs a shell script as root in a container of the builder's image. */
export async function runInBuilder(build: BuildRun, { scratch, sites }: Workshop): Promise<void> {
    const pinned = sites.sha256(builder.image, builder.sha256);
    const image = `${sites.image(builder.image)}${pinned ? `@sha256:${pinned}` : ""}`;
    const script = [
        "set -eu",
        "apt-get update -q",
        `DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends ${build.packages.join(" ")}`,
        build.script,
        // So that this user can read and remove them.
        `chown -R ${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0} /out`,
    ].join("\n");
    await run("docker", [
        ...["run", "--rm", "--network", "host", "--workdir", "/tmp"],
        // debootstrap mounts file systems.
        ...["--cap-add", "SYS_ADMIN", "--security-opt", "apparmor=unconfined", "--security-opt", "seccomp=unconfined"],
        ...PASSED.filter((name) => process.env[name] !== undefined).flatMap((name) => ["--env", name]),
        ...["--volume", `${scratch}:/out`],
        ...(build.source ? ["--volume", `${build.source}:/source:ro`] : []),
        ...[image, "sh", "-c", script, "sh", ...build.arguments],
    ]);
}
