import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { statusConfigMap } from "../../../agents/etcd/keeper/status";
import { readJoined } from "../../../agents/nodes/approver/joined";
import { nodePromoterName } from "../../../agents/nodes/promoter/plan";
import { controllersConfig, progressKey, readRecord } from "../../../agents/nodes/promoter/record";
import { readRepairs, repairsConfig, waitsKey } from "../../../agents/nodes/repairer/record";
import { type ApiClient, type Credentials, list } from "../../../clients/kubernetes/api-client";
import { ifFound } from "../../../clients/kubernetes/api-error";
import { CheckedClient } from "../../../clients/kubernetes/checked-client";
import type {
    ConfigMap,
    DaemonSet,
    Deployment,
    Lease,
    List,
    Node,
    Pod,
    Version,
} from "../../../clients/kubernetes/objects";
import { desiredNodesName, namedIn, poolsIn, sizesIn } from "../../../cluster/manifests/nodes/desired-nodes";
import { countAnnotation, possibleAnnotation } from "../../../cluster/manifests/nodes/node-promoter";
import { repairedByAnnotation } from "../../../cluster/manifests/nodes/node-repairer";
import { describeTakenBack, type GuardedUpgrade, isTakenBack } from "../../../cluster/upgrades/guarded";
import { plainVersion } from "../../../cluster/upgrades/version";
import { writePrivate } from "../../../command-line/private-file";
import { lastUpgrade } from "../../../components/upgrade/guard-record";
import {
    type CandidateFacts,
    type CertificateFacts,
    type Fact,
    known,
    LEADER_ELECTED,
    type RepairFacts,
    type SnapshotFacts,
    type UpgradeFacts,
    unknown,
    type WorkloadFacts,
} from "../facts";
import { readNodes } from "./node-list";
import { conditionFacts, unlistedApps, workloadFacts } from "./nodes";

/** Of more nodes, only so many are read as a whole: tables lack all conditions but Ready. */
const mostWhole = 200;

/** Timeout of an API call in milliseconds. */
const CALL_MS = 2_000;

/** Responses of the API, as received. */
export interface ApiAnswers {
    readonly nodes: readonly Node[];
    readonly pods: readonly Pod[];
    readonly leases: readonly Lease[];
    readonly workloads: readonly WorkloadFacts[];
    readonly snapshot: Fact<SnapshotFacts | null>;
    /** Node names that the stack recorded in the cluster. */
    readonly named: readonly string[];
    /** Names of nodes that joined by a token. */
    readonly joined: readonly string[];
    /** Their pools, by node name. */
    readonly pools?: Readonly<Record<string, string>>;
    /** Desired number of nodes of each pool whose nodes the cloud names. */
    readonly poolSizes?: Readonly<Record<string, number>>;
    /** See `ClusterFacts`. */
    readonly upgrade?: UpgradeFacts;
    /** See `ClusterFacts`. */
    readonly candidates?: CandidateFacts;
    /** See `ClusterFacts`. */
    readonly repairs?: RepairFacts;
    /** By node name: `conditions` of `NodeFacts`. */
    readonly conditions: Readonly<Record<string, readonly string[]>>;
}

export function apiClient(url: string, credentials: Credentials): ApiClient {
    return new CheckedClient(url, () => credentials, "tradewind-status");
}

/** Reads everything in parallel. If one call fails, all fail: a partial response may be outdated. */
export async function readApi(api: ApiClient): Promise<ApiAnswers> {
    const get = <T>(path: string) => api.call<T>(path, { timeoutMilliseconds: CALL_MS });
    const all = <T>(path: string) => list<T>(api, path, { timeoutMilliseconds: CALL_MS });
    const inSystem = "namespaces/kube-system";
    const sets = all<DaemonSet>(`/apis/apps/v1/${inSystem}/daemonsets`);
    // In pages: each has a timeout of its own.
    const page = "limit=500";
    const [nodes, pods, daemonSets, deployments, leases, snapshot, desired, whole, upgrade, record, repairs, joined] =
        await Promise.all([
            readNodes(api, { timeoutMilliseconds: CALL_MS }),
            sets.then((found) => all<Pod>(`/api/v1/${inSystem}/pods?${page}${withoutApps(unlistedApps(found))}`)),
            sets,
            all<Deployment>(`/apis/apps/v1/${inSystem}/deployments`),
            Promise.all(
                LEADER_ELECTED.map((name) =>
                    ifFound(get<Lease>(`/apis/coordination.k8s.io/v1/${inSystem}/leases/${name}`)),
                ),
            ),
            ifFound(get<ConfigMap>(`/api/v1/${inSystem}/configmaps/${statusConfigMap}`)),
            ifFound(get<ConfigMap>(`/api/v1/${inSystem}/configmaps/${desiredNodesName}`)),
            get<List<Node>>(`/api/v1/nodes?limit=${mostWhole}`),
            lastUpgrade({ call: get }),
            ifFound(get<ConfigMap>(`/api/v1/${inSystem}/configmaps/${controllersConfig}`)),
            ifFound(get<ConfigMap>(`/api/v1/${inSystem}/configmaps/${repairsConfig}`)),
            readJoined({ call: get }),
        ]);
    const candidates = candidateFacts(record, daemonSets);
    return {
        nodes,
        pods,
        leases: leases.filter((lease) => lease !== undefined),
        workloads: workloadFacts(daemonSets, deployments),
        named: namedIn(desired?.data),
        joined: Object.keys(joined.machines),
        ...(desired && { pools: poolsIn(desired.data), poolSizes: sizesIn(desired.data) }),
        conditions: Object.fromEntries(whole.items.map((node) => [node.metadata.name, conditionFacts(node)])),
        ...(upgrade && { upgrade: upgradeFacts(upgrade) }),
        ...(candidates && { candidates }),
        ...(repairs && { repairs: repairFacts(repairs) }),
        snapshot: readable(() => snapshotFacts(snapshot?.data)),
    };
}

/** @returns undefined if no agent changes controllers */
export function candidateFacts(
    record: Pick<ConfigMap, "data"> | undefined,
    daemonSets: readonly DaemonSet[],
): CandidateFacts | undefined {
    const promoter = daemonSets.find(({ metadata }) => metadata.name === nodePromoterName);
    const { annotations } = promoter?.spec?.template?.metadata ?? {};
    const count = Number(annotations?.[countAnnotation]);
    if (!count) return undefined;
    const possible = annotations?.[possibleAnnotation]?.split(" ") ?? [];
    const progress = record?.data?.[progressKey];
    return { count, possible, ...rolesIn(record), ...(progress && { progress }) };
}

function rolesIn(record: Pick<ConfigMap, "data"> | undefined): Pick<CandidateFacts, "roles" | "problem"> {
    if (record === undefined) return { roles: {}, problem: "it does not exist" };
    try {
        return { roles: readRecord(record) };
    } catch (error) {
        return { roles: {}, problem: (error as Error).message };
    }
}

export function repairFacts(record: ConfigMap): RepairFacts {
    const cloud = record.metadata.annotations?.[repairedByAnnotation];
    const waits = record.data?.[waitsKey];
    return { machines: readRepairs(record).machines, ...(cloud && { cloud }), ...(waits && { waits }) };
}

/** @returns undefined if there is nothing to report */
export function upgradeFacts(last: GuardedUpgrade): UpgradeFacts | undefined {
    const { record, report } = last;
    const { from, to } = record;
    if (record.isAccepted) return undefined;
    if (isTakenBack(last)) return { from, to, takenBack: describeTakenBack(last) };
    if (report?.state !== "guarding" || report.undecided === undefined) return undefined;
    return { from, to, undecided: report.undecided };
}

function withoutApps(apps: readonly string[]): string {
    return apps.length === 0 ? "" : `&labelSelector=${encodeURIComponent(`k8s-app notin (${apps.join(",")})`)}`;
}

/** Version of the apiserver at this URL: each apiserver has its own. */
export async function readVersion(api: ApiClient): Promise<string> {
    const { gitVersion } = await api.call<Version>("/version", { timeoutMilliseconds: CALL_MS });
    return plainVersion(gitVersion);
}

/** The publisher may run another version. */
function readable<T>(read: () => T): Fact<T> {
    try {
        return known(read());
    } catch {
        return unknown(`kube-system/${statusConfigMap} has a format unknown to this version`);
    }
}

/** Expiry of a PEM certificate; of the first if there are several. */
export function endOf(pem: string): Fact<string> {
    try {
        return known(new Date(new X509Certificate(pem).validTo).toISOString());
    } catch (error) {
        return unknown(`cannot be parsed (${(error as Error).message})`);
    }
}

/** Certificates in the kubeconfig itself, which need no requests. */
export function kubeconfigCertificates({ ca, certificate }: { ca?: Buffer; certificate?: Buffer }): CertificateFacts[] {
    const of = (name: string, pem: Buffer | undefined): CertificateFacts[] =>
        pem === undefined ? [] : [{ name, notAfter: endOf(pem.toString("utf8")), isVerified: true }];
    return [...of("Kubernetes CA", ca), ...of("this kubeconfig's client", certificate)];
}

const lastObservation = v.object({
    /** When the API responded: RFC 3339. */
    at: v.string(),
    controllers: v.array(v.object({ name: v.string(), address: v.string() })),
});

/** The last good response of the API, for when it is down. */
type LastObservation = v.InferOutput<typeof lastObservation>;

export function readObservation(path: string): LastObservation | undefined {
    try {
        return v.parse(lastObservation, JSON.parse(readFileSync(path, "utf8")));
    } catch {
        // Missing or truncated: it is only a fallback.
        return undefined;
    }
}

/** Stores a response; status also works if nothing can be written. */
export function writeObservation(path: string, what: LastObservation): void {
    try {
        writePrivate(path, `${JSON.stringify(what, null, 2)}\n`);
    } catch {
        return;
    }
}

const failure = v.optional(v.object({ message: v.string() }));

const published = v.object({
    last: v.optional(v.object({ name: v.string(), time: v.string(), node: v.optional(v.string()) })),
    object: v.optional(v.string()),
    failure,
    copyFailure: failure,
    next: v.optional(v.string()),
});

/** @returns null if nothing was published; if it cannot be parsed, the facts say so */
export function snapshotFacts(data: Readonly<Record<string, string>> | undefined): SnapshotFacts | null {
    if (data?.snapshot === undefined) {
        return null;
    }
    const { last, object, failure, copyFailure, next } = v.parse(published, JSON.parse(data.snapshot));
    return {
        last: last && { at: last.time, name: last.name, node: last.node },
        copy: object,
        failure: failure?.message,
        copyFailure: copyFailure?.message,
        next,
    };
}
