import { ApiError } from "../../clients/kubernetes/api-error";
import { invalid } from "../validate";
import type { KeyHolder } from "./changes";
import { firstKeys, isSame, type KeyLists } from "./lists";

/** What is known about trust in the Kubernetes CA before it is rotated. */
export interface CaFacts {
    /** Keys in use, apart from those of kube-apiserver. */
    readonly holders: readonly KeyHolder[];
    /** Nodes whose kubelets are not known to have the current settings. */
    readonly unsettledNodes: readonly string[];
    /** CAs published to pods, by namespace. */
    readonly published: readonly PublishedCas[];
    readonly readers: readonly CaReader[];
}

/** A namespace's `kube-root-ca.crt`. */
export interface PublishedCas {
    readonly namespace: string;
    /** Names of the CAs. */
    readonly cas: readonly string[];
    /** Milliseconds since 1970. */
    readonly since: number;
}

/** A pod that gets the CAs along with the token of its service account. */
export interface CaReader {
    readonly namespace: string;
    /** Its workload: `daemonset/kube-proxy`, or `pod/<name>` for a bare pod. */
    readonly workload: string;
    /** Creation of the pod, and start of its longest-running container. Milliseconds since 1970. */
    readonly created: number;
    readonly started: number;
}

/**
 * Within this time a kubelet updates a changed ConfigMap in a pod: twice what its default settings add up to. Unit:
 * milliseconds.
 */
const deliveryMilliseconds = 120_000;

/** What prevents a change of the Kubernetes CA, apart from the keys in use. */
export function caProblems(
    current: Pick<KeyLists, "kubernetesCa">,
    { unsettledNodes, published }: CaFacts,
    desired: Pick<KeyLists, "kubernetesCa">,
): string[] {
    const [has, next] = [current.kubernetesCa, desired.kubernetesCa];
    if (isSame(has, next)) return [];
    const problem = (legal: string) => invalid("keys.kubernetesCa", legal, next).message;
    const unsettled = unsettledNodes.map((node) =>
        problem(`${JSON.stringify(has)} until the kubelet of ${node} has it: its node-agent is not Ready`),
    );
    const name = caName(next[0]!);
    const lacking = published.filter(({ cas }) => !cas.includes(name));
    if (has[0] === next[0] || lacking.length === 0) return unsettled;
    const where = lacking.map(({ namespace }) => namespace).join(", ");
    return [...unsettled, problem(`a list that begins with ${has[0]} until kube-root-ca.crt of ${where} has ${name}`)];
}

/** Pods that read the CAs before the next issuing one was published: most programs read them only once. */
export function readerProblems(
    current: Pick<KeyLists, "kubernetesCa">,
    { published, readers }: CaFacts,
    desired: Pick<KeyLists, "kubernetesCa">,
): string[] {
    if (current.kubernetesCa[0] === desired.kubernetesCa[0]) return [];
    const since = new Map(published.map((each) => [each.namespace, each.since]));
    const isLate = ({ namespace, created, started }: CaReader) => {
        const published = since.get(namespace) ?? 0;
        return created < published && started < published + deliveryMilliseconds;
    };
    const late = readers.filter(isLate).map(({ namespace, workload }) => `${namespace} ${workload}`);
    return [...new Set(late)].sort().map((each) => {
        const [namespace, workload] = each.split(" ") as [string, string];
        const remedy = workload.startsWith("pod/")
            ? `recreate ${workload} of ${namespace}`
            : `kubectl -n ${namespace} rollout restart ${workload}`;
        return `${remedy}: it started before CA ${desired.kubernetesCa[0]} was published`;
    });
}

const distrust = [
    "CERT_SIGNATURE_FAILURE",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
];

/**
 * Explains an API error by the list of CAs.
 * @default - nothing
 *
 * Says nothing about the initial list: another cluster may have the address of one that is down.
 */
export function accessProblem({ keys }: { readonly keys: KeyLists }, error: unknown): string | undefined {
    const isGiven = keys.given?.kubernetesCa !== undefined;
    if (hasFirstCa(keys) && !isGiven) return undefined;
    const problem = (legal: string) => invalid("keys.kubernetesCa", legal, keys.kubernetesCa).message;
    if (distrust.includes((error as { code?: string }).code ?? "")) {
        return problem("a list with the CA of kube-apiserver's certificate");
    }
    return error instanceof ApiError && error.status === 401
        ? problem("a list that begins with a CA that kube-apiserver trusts")
        : undefined;
}

/** The same for a list whose first CA does not exist in the stack yet. */
export function unknownProblem({ kubernetesCa }: Pick<KeyLists, "kubernetesCa">): string {
    const why = `${kubernetesCa[0]} must be trusted everywhere before it is used`;
    return invalid("keys.kubernetesCa", `a list that begins with an existing generation: ${why}`, kubernetesCa).message;
}

type CaGenerations = Pick<KeyLists, "kubernetesCa">;

/** Name of a CA in the certificates that it issues, which identifies it on machines. */
export function caName(generation: number): string {
    return generation === 1 ? "kubernetes-ca" : `kubernetes-ca-${generation}`;
}

/** Whether a cluster still has its initial CA only. Kubelets then get no list of CAs. */
export function hasFirstCa({ kubernetesCa }: CaGenerations): boolean {
    return isSame(kubernetesCa, firstKeys.kubernetesCa);
}

/** The trusted CAs in a fixed order, so that a change of the issuing one does not change what machines get. */
export function trustedCaGenerations({ kubernetesCa }: CaGenerations): number[] {
    return [...kubernetesCa].sort((one, other) => one - other);
}
