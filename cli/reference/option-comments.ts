import { type Comment, type Commented, readComment } from "./comments";
import type { Row } from "./schema-rows";

/** Keys that a stack's configuration has elsewhere than the options that they become. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
    [/^pools\b/, "workerPools"],
    [/^machineSubnet$/, "machineCidr"],
    [/^(podCidr6?|serviceCidr6?|clusterDomain|kubeProxyMode|keepsConntrackLimits)$/, "network.$1"],
    [/^etcdSnapshots\.s3\.(accessKeyId|secretAccessKey|encryptionKey)$/, "etcdSnapshotSecrets.$1"],
];

/**
 * What is said of a key: by the schema itself, if it is the stack's alone, else by the comment of the option.
 *
 * @param root - the interface of the cluster's options
 * @throws when nobody says anything
 */
export function commentOn(row: Row, root: string, interfaces: Readonly<Record<string, Commented>>): Comment {
    if (row.schema.description !== undefined) return readComment(row.schema.description);
    const path = ELSEWHERE.reduce((key, [from, to]) => key.replace(from, to), row.key);
    const found = find(path.replaceAll("[]", "").split("."), [root], interfaces);
    if (found === undefined || found.text === "") {
        throw new Error(`${row.key} must be described by a comment of ${root} or by its schema, got nothing`);
    }
    return found;
}

function find(
    [name, ...rest]: readonly string[],
    among: readonly string[],
    interfaces: Readonly<Record<string, Commented>>,
): Comment | undefined {
    for (const { members, bases } of among.map((each) => interfaces[each]).filter((each) => each !== undefined)) {
        const member = members[name!];
        if (member && rest.length > 0) return find(rest, member.types, interfaces);
        // An object of which its own type says what it is needs no comment beside.
        if (member) return member.comment.text ? member.comment : interfaces[member.types[0] ?? ""]?.comment;
        const inherited = find([name!, ...rest], bases, interfaces);
        if (inherited) return inherited;
    }
    return undefined;
}
