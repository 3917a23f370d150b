import { createHash } from "node:crypto";
import {
    type JoiningNodes,
    joiningController,
    joiningWorker,
    placeholderJoining,
} from "../../../cluster/machines/joining-configs";
import { type HttpProxy, isCandidatePool } from "../../../cluster/model";
import { proxyVariables } from "../../../cluster/proxy";
import { type Config, render, specVersion, toCloudInit } from "../../../ignition";

/** Location and hash of a node's config; not secret. */
interface ConfigPointer {
    readonly bucket: string;
    readonly key: string;
    /** SHA-512 of the config: 128 hexadecimal digits. */
    readonly hash: string;
}

export function configHash(text: string): string {
    return createHash("sha512").update(text).digest("hex");
}

/**
 * User-data of an instance: the location of its config, which Ignition fetches with the instance's role and verifies.
 *
 * User-data is limited to 16 KiB and visible to everyone who may describe instances; configs are longer and contain a
 * token.
 */
export function userData({ bucket, key, hash }: ConfigPointer, proxy?: HttpProxy): string {
    const replace = { source: `s3://${bucket}/${key}`, verification: { hash: `sha512-${hash}` } };
    const by = proxy && { proxy: { ...proxy, noProxy: [...proxy.noProxy] } };
    return render({ ignition: { version: specVersion, config: { replace }, ...by } });
}

/** A file whose contents are in a bucket, from which an instance fetches them with its role. */
interface ObjectFile {
    readonly bucket: string;
    readonly key: string;
    readonly path: string;
    readonly mode: number;
}

/**
 * A config in cloud-init's format, and the objects that cloud-init cannot fetch itself. Throws if cloud-init has no
 * equivalent.
 */
export function cloudInitConfig(config: Config): { readonly text: string; readonly objects: readonly ObjectFile[] } {
    const files = config.storage?.files ?? [];
    const objects = files.flatMap(({ path, mode, contents }) => {
        const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(contents?.source ?? "") ?? [];
        return bucket && key ? [{ bucket, key, path, mode: mode ?? 0o644 }] : [];
    });
    const rest = files.filter(({ path }) => !objects.some((each) => each.path === path));
    return { text: toCloudInit({ ...config, storage: { ...config.storage, files: rest } }), objects };
}

/** Throws, at preview, if a snippet uses something that cloud-init does not support. */
export function checkCloudInit(nodes: JoiningNodes): void {
    const { cluster } = nodes;
    const joining = placeholderJoining(cluster);
    const [first] = cluster.controllers.names;
    cloudInitConfig(joiningController(nodes, first!, joining, { source: "s3://bucket/disk" }));
    for (const pool of cluster.workerPools) {
        const name = isCandidatePool(cluster, pool) ? pool.nodes[0] : undefined;
        cloudInitConfig(joiningWorker(nodes, pool, joining, name));
    }
}

/** Path of scripts that cloud-init runs at the end of every boot. */
const script = "/var/lib/cloud/scripts/per-boot/tradewind-config";

/**
 * User-data of an instance with cloud-init: a script that fetches the config with the instance's role, and applies it
 * if the hash matches. cloud-init itself cannot read private buckets.
 *
 * It runs at every boot until it has succeeded once, because power can fail at any time.
 */
export function cloudInitUserData(
    { bucket, key, hash }: ConfigPointer,
    objects: readonly ObjectFile[],
    region: string,
    proxy?: HttpProxy,
): string {
    const places = objects.map(
        ({ bucket: of, key: at, mode, path }) => `place ${[of, at, mode.toString(8), path].map(quoted).join(" ")}\n`,
    );
    return `#cloud-boothook
#!/bin/sh
set -eu
mkdir -p ${script.slice(0, script.lastIndexOf("/"))}
cat >/run/tradewind-config <<'END'
#!/bin/sh
# Makes this instance a node: what it is to be is fetched from a bucket as the instance's role, and nothing else is taken.
set -eu
folder=/var/lib/tradewind/cloud-config
config=$folder/config.yaml
region=${region}
hash=${hash}
metadata=http://169.254.169.254/latest
${proxy ? exported(proxy) : ""}[ ! -e "$folder/applied" ] || exit 0
mkdir -p "$folder"

get() { curl -fsS --connect-timeout 5 --max-time 60 --retry 60 --retry-delay 5 --retry-all-errors "$@"; }
field() { printf '%s\\n' "$credentials" | sed -n "s/.*\\"$1\\" *: *\\"\\([^\\"]*\\)\\".*/\\1/p"; }
# object BUCKET KEY FILE. The role's keys are not for command lines, which every process may read.
object() (
    umask 077
    token=$(get -X PUT -H 'X-aws-ec2-metadata-token-ttl-seconds: 300' "$metadata/api/token")
    role=$(get -H "X-aws-ec2-metadata-token: $token" "$metadata/meta-data/iam/security-credentials/")
    credentials=$(get -H "X-aws-ec2-metadata-token: $token" "$metadata/meta-data/iam/security-credentials/$role")
    printf 'user = "%s:%s"\\nheader = "x-amz-security-token: %s"\\n' \\
        "$(field AccessKeyId)" "$(field SecretAccessKey)" "$(field Token)" |
        get --config - --aws-sigv4 "aws:amz:$region:s3" -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD' \\
            -o "$3" "https://$1.s3.$region.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}/$2"
)
# place BUCKET KEY MODE FILE
place() {
    object "$1" "$2" "$folder/object"
    install -D -m "$3" "$folder/object" "$4"
}

object ${quoted(bucket)} ${quoted(key)} "$config"
if ! echo "$hash  $config" | sha512sum --check --status; then
    echo "the config of this node does not have the SHA-512 $hash" >&2
    exit 1
fi
${places.join("")}for module in set_hostname bootcmd users_groups write_files write_files_deferred runcmd; do
    cloud-init --file "$config" single --name "$module" --frequency always
done
/var/lib/cloud/instance/scripts/runcmd
rm -f "$config" "$folder/object"
sync
touch "$folder/applied"
END
install -m 0700 /run/tradewind-config ${script}
`;
}

function exported(proxy: HttpProxy): string {
    const lines = Object.entries(proxyVariables(proxy)).map(([name, value]) => `export ${name}=${quoted(value)}\n`);
    return lines.join("");
}

function quoted(word: string): string {
    return `'${word.replaceAll("'", "'\\''")}'`;
}
