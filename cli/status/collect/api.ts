import { ApiClient, type Credentials } from "../../../agents/common/api-client";
import { ifFound } from "../../../agents/common/api-error";
import { plainVersion } from "../../../components/cluster/version";
import { namedIn, wantedNodesName } from "../../../components/control-plane/wanted-nodes";
import { LEADER_ELECTED } from "../components";
import { type Fact, known, unknown } from "../fact";
import type { SnapshotFacts, WorkloadFacts } from "../facts";
import { workloadFacts } from "./nodes";
import type { DaemonSet, Deployment, Lease, List, Node, Pod } from "./objects";
import { SNAPSHOT_CONFIG_MAP, snapshotFacts } from "./snapshot";

/** Milliseconds that a call to the API may take. */
const CALL_MS = 2_000;

/** What the API tells, as it tells it. */
export interface ApiAnswers {
    readonly nodes: readonly Node[];
    readonly pods: readonly Pod[];
    readonly leases: readonly Lease[];
    readonly workloads: readonly WorkloadFacts[];
    readonly snapshot: Fact<SnapshotFacts | null>;
    /** Names of nodes, as the stack recorded them in the cluster. */
    readonly named: readonly string[];
}

export function apiClient(url: string, credentials: Credentials): ApiClient {
    return new ApiClient(url, () => credentials, "tradewind-status");
}

/** Everything at once. A call that fails fails them all: half an answer may be an outdated one. */
export async function readApi(api: ApiClient): Promise<ApiAnswers> {
    const get = <T>(path: string) => api.call<T>(path, { timeoutMilliseconds: CALL_MS });
    const inSystem = "namespaces/kube-system";
    const [nodes, pods, daemonSets, deployments, leases, snapshot, wanted] = await Promise.all([
        get<List<Node>>("/api/v1/nodes"),
        get<List<Pod>>(`/api/v1/${inSystem}/pods`),
        get<List<DaemonSet>>(`/apis/apps/v1/${inSystem}/daemonsets`),
        get<List<Deployment>>(`/apis/apps/v1/${inSystem}/deployments`),
        Promise.all(
            LEADER_ELECTED.map((name) =>
                ifFound(get<Lease>(`/apis/coordination.k8s.io/v1/${inSystem}/leases/${name}`)),
            ),
        ),
        ifFound(get<{ data?: Record<string, string> }>(`/api/v1/${inSystem}/configmaps/${SNAPSHOT_CONFIG_MAP}`)),
        ifFound(get<{ data?: Record<string, string> }>(`/api/v1/${inSystem}/configmaps/${wantedNodesName}`)),
    ]);
    return {
        nodes: nodes.items,
        pods: pods.items,
        leases: leases.filter((lease) => lease !== undefined),
        workloads: workloadFacts(daemonSets.items, deployments.items),
        named: namedIn(wanted?.data),
        snapshot: readable(() => snapshotFacts(snapshot?.data)),
    };
}

/** Of the apiserver at the URL: each has its own. */
export async function readVersion(api: ApiClient): Promise<string> {
    const { gitVersion } = await api.call<{ gitVersion: string }>("/version", { timeoutMilliseconds: CALL_MS });
    return plainVersion(gitVersion);
}

/** Who wrote it may be of another version. */
function readable<T>(read: () => T): Fact<T> {
    try {
        return known(read());
    } catch {
        return unknown(`kube-system/${SNAPSHOT_CONFIG_MAP} has a form that this version does not know`);
    }
}
