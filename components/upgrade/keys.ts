import { createHash, createPublicKey } from "node:crypto";
import type { ApiClient } from "../../agents/common/api-client";
import { ifFound } from "../../agents/common/api-error";
import type { KeyHolder } from "../cluster/key-changes";
import { without } from "../cluster/key-changes";
import { annotatedKeys, type KeyLists } from "../cluster/key-lists";
import type { EtcdMemberPod } from "../cluster/member-checks";
import type { TokenFacts } from "../cluster/token-checks";
import { secretsRewriteJobName } from "../control-plane/secrets-rewrite";

const core = "/api/v1/namespaces/kube-system";
const apiserver = "kube-apiserver";

interface Metadata {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
}

interface SecretObject {
    readonly metadata: Metadata;
    readonly data?: Readonly<Record<string, string>>;
}

interface Pod {
    readonly metadata: Metadata;
    readonly status: { readonly phase?: string; readonly startTime?: string };
}

/** Who has keys now. */
export interface RunningKeys {
    /** What was told to have them last, the pods that have yet to go, and the Secret that they start with. */
    readonly holders: readonly KeyHolder[];
    readonly members: readonly EtcdMemberPod[];
    /** As in `TokenFacts`. */
    readonly signingSince: number;
    /** PEM of what the Secret says that signs tokens, by generation. */
    readonly verifiers: ReadonlyMap<number, string>;
}

/** Who has which keys now: pods of an earlier `up`, and of one that was interrupted, have others than they were told. */
export async function runningKeys(api: ApiClient, told: KeyLists): Promise<RunningKeys> {
    const podsOf = (app: string) => api.call<{ items: Pod[] }>(`${core}/pods?labelSelector=k8s-app%3D${app}`);
    const [{ items }, members, secret] = await Promise.all([
        podsOf(apiserver),
        podsOf("etcd"),
        ifFound(api.call<SecretObject>(`${core}/secrets/${apiserver}`)),
    ]);
    const pods = items.filter(({ status }) => status.phase !== "Failed" && status.phase !== "Succeeded");
    const ofSecret = annotatedKeys(secret?.metadata.annotations);
    const pems = Buffer.from(secret?.data?.["service-account.pub"] ?? "", "base64").toString();
    const verifiers = pems.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ?? [];
    return {
        holders: [
            { name: `the DaemonSet ${apiserver}`, keys: told },
            ...pods.map(({ metadata }) => ({
                name: `the pod ${metadata.name}`,
                keys: annotatedKeys(metadata.annotations),
            })),
            ...(secret ? [{ name: `the Secret ${apiserver}`, keys: ofSecret }] : []),
        ],
        // The kubelet tells of static pods when those of before have ended.
        members: members.items.map(({ metadata: { name, annotations } }) => ({
            name,
            etcdCa: annotatedKeys(annotations).etcdCa,
        })),
        signingSince: Math.max(0, ...pods.map(({ status }) => Date.parse(status.startTime ?? "") || Date.now())),
        // As `credentialFiles` wrote them: in the order of the list.
        verifiers: new Map(
            ofSecret.serviceAccount.flatMap((generation, index) => {
                const pem = verifiers[index];
                return pem === undefined ? [] : [[generation, pem]];
            }),
        ),
    };
}

/** Whether all Secrets were written with the first of these keys. */
export async function rewriteOf(api: ApiClient, keys: KeyLists): Promise<"complete" | "incomplete" | "none"> {
    const path = `/apis/batch/v1/namespaces/kube-system/jobs/${secretsRewriteJobName(keys)}`;
    const job = await ifFound(api.call<{ status?: { succeeded?: number } }>(path));
    return job === undefined ? "none" : job.status?.succeeded ? "complete" : "incomplete";
}

/** What is known of tokens that keys signed which go. */
export async function tokenFacts(api: ApiClient, running: RunningKeys, wanted: KeyLists): Promise<TokenFacts> {
    const going = without([...running.verifiers.keys()], wanted.serviceAccount);
    const dropped = new Map(going.map((generation) => [keyId(running.verifiers.get(generation)!), generation]));
    const { items } = await api.call<{ items: SecretObject[] }>(
        `/api/v1/secrets?fieldSelector=${encodeURIComponent("type=kubernetes.io/service-account-token")}`,
    );
    return {
        dropped,
        lasting: items.flatMap(({ metadata, data }) => {
            const signer = signerOf(Buffer.from(data?.token ?? "", "base64").toString());
            return signer === undefined ? [] : [{ name: `${metadata.namespace}/${metadata.name}`, keyId: signer }];
        }),
        signingSince: running.signingSince,
    };
}

/** As kube-apiserver names a key in the tokens that it signs. */
export function keyId(publicKey: string): string {
    const der = createPublicKey(publicKey).export({ type: "spki", format: "der" });
    return createHash("sha256").update(der).digest("base64url");
}

function signerOf(token: string): string | undefined {
    try {
        return JSON.parse(Buffer.from(token.split(".")[0]!, "base64url").toString()).kid;
    } catch {
        return undefined;
    }
}
