import { createHash, createPublicKey } from "node:crypto";
import type * as pulumi from "@pulumi/pulumi";
import { type ApiClient, list } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import { type Job, nameOf, type Pod, type Secret } from "../../clients/kubernetes/objects";
import { hasEnded } from "../../clients/kubernetes/pods";
import {
    describeKeyChanges,
    type KeyHolder,
    type TokenFacts,
    tokenProblems,
    without,
} from "../../cluster/keys/changes";
import { annotatedKeys, isSame, type KeyLists } from "../../cluster/keys/lists";
import { type EtcdMemberPod, keyVerdict } from "../../cluster/keys/rotation-check";
import { secretsRewriteJobName } from "../../cluster/manifests/control-plane/secrets-rewrite";
import { type Cluster, possibleMembers } from "../../cluster/model";
import { plainError } from "../pulumi/errors";
import { log } from "../pulumi/log";
import { etcdMembers } from "./etcd-changes";
import { runningCas } from "./running-cas";

/**
 * Refuses, at preview too, keys that some component would not accept, and reports changes that are allowed.
 *
 * @param current - the last keys given to kube-apiserver
 * @throws RunError with everything that prevents the change
 */
export async function checkKeys(
    api: ApiClient,
    current: KeyLists,
    { name, keys, controllers, upgradeOverrides }: Cluster,
    component: pulumi.Resource,
): Promise<void> {
    // An accepted change continues, whatever state it left the cluster in.
    if (describeKeyChanges(current, keys).length === 0) {
        return;
    }
    const running = await runningKeys(api, current);
    const facts = {
        current,
        holders: running.holders,
        members: running.members,
        // Which of the candidates are controllers is the cluster's decision.
        controllers: controllers.candidates.length === 0 ? possibleMembers({ controllers }) : await memberNames(api),
        rewrites: { current: await rewriteOf(api, current), desired: await rewriteOf(api, keys) },
        tokens: tokenProblems(await tokenFacts(api, running, keys), Date.now()),
        ...(!isSame(current.kubernetesCa, keys.kubernetesCa) && { cas: await runningCas(api) }),
    };
    const { refusal, warnings, changes } = keyVerdict(name, facts, keys, upgradeOverrides);
    if (refusal !== undefined) {
        throw plainError(refusal);
    }
    for (const warning of warnings) await log.warn(warning, component);
    for (const change of changes) await log.info(change, component);
}

async function memberNames(api: ApiClient): Promise<string[]> {
    return (await etcdMembers(api)).map(({ name }) => name);
}

const core = "/api/v1/namespaces/kube-system";
const apiserver = "kube-apiserver";

/** Components and their current keys. */
interface RunningKeys {
    /** DaemonSets with their latest keys, pods that are yet to be replaced, and the Secret that they start with. */
    readonly holders: readonly KeyHolder[];
    readonly members: readonly EtcdMemberPod[];
    /** See `TokenFacts`. */
    readonly signingSince: number;
    /** PEM of the public keys in the Secret that verify tokens, by generation. */
    readonly verifiers: ReadonlyMap<number, string>;
}

/** The current keys of all components: pods of an earlier or interrupted `up` have others than the DaemonSet says. */
export async function runningKeys(api: ApiClient, current: KeyLists): Promise<RunningKeys> {
    const podsOf = (app: string) => list<Pod>(api, `${core}/pods?labelSelector=k8s-app%3D${app}`);
    const [all, members, secret] = await Promise.all([
        podsOf(apiserver),
        podsOf("etcd"),
        ifFound(api.call<Secret>(`${core}/secrets/${apiserver}`)),
    ]);
    const pods = all.filter((pod) => !hasEnded(pod));
    const ofSecret = annotatedKeys(secret?.metadata.annotations);
    const pems = Buffer.from(secret?.data?.["service-account.pub"] ?? "", "base64").toString();
    const verifiers = pems.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ?? [];
    return {
        holders: [
            { name: `the DaemonSet ${apiserver}`, keys: current },
            ...pods.map(({ metadata }) => ({
                name: `the pod ${metadata.name}`,
                keys: annotatedKeys(metadata.annotations),
            })),
            ...(secret ? [{ name: `the Secret ${apiserver}`, keys: ofSecret }] : []),
        ],
        // The kubelet reports new static pods once the previous ones have terminated.
        members: members.map(({ metadata: { name, annotations } }) => ({
            name,
            etcdCa: annotatedKeys(annotations).etcdCa,
        })),
        signingSince: Math.max(0, ...pods.map(({ status }) => Date.parse(status?.startTime ?? "") || Date.now())),
        // In the order of the list, as written by `credentialFiles`.
        verifiers: new Map(
            ofSecret.serviceAccount.flatMap((generation, index) => {
                const pem = verifiers[index];
                return pem === undefined ? [] : [[generation, pem]];
            }),
        ),
    };
}

/** Whether all Secrets have been rewritten with the first of these keys. */
export async function rewriteOf(api: ApiClient, keys: KeyLists): Promise<"complete" | "incomplete" | "none"> {
    const path = `/apis/batch/v1/namespaces/kube-system/jobs/${secretsRewriteJobName(keys)}`;
    const job = await ifFound(api.call<Job>(path));
    return job === undefined ? "none" : job.status?.succeeded ? "complete" : "incomplete";
}

/** What is known about tokens signed with keys that are removed. */
export async function tokenFacts(api: ApiClient, running: RunningKeys, desired: KeyLists): Promise<TokenFacts> {
    const going = without([...running.verifiers.keys()], desired.serviceAccount);
    const dropped = new Map(going.map((generation) => [keyId(running.verifiers.get(generation)!), generation]));
    const secrets = await list<Secret>(
        api,
        `/api/v1/secrets?fieldSelector=${encodeURIComponent("type=kubernetes.io/service-account-token")}`,
    );
    return {
        dropped,
        lasting: secrets.flatMap((secret) => {
            const signer = signerOf(Buffer.from(secret.data?.token ?? "", "base64").toString());
            return signer === undefined ? [] : [{ name: nameOf(secret), keyId: signer }];
        }),
        signingSince: running.signingSince,
    };
}

/** Key id that kube-apiserver puts into tokens. */
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
