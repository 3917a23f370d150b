import { ApiError } from "../../clients/kubernetes/api-error";
import { invalid } from "../validate";
import type { KeyHolder } from "./changes";
import { firstKeys, isSame, type KeyLists } from "./lists";

/** What is known of those who trust the Kubernetes authority, before another one follows it. */
export interface AuthorityFacts {
    /** Who has which, beside kube-apiserver. */
    readonly holders: readonly KeyHolder[];
    /** Nodes of which it is not known that their kubelets have what they were told. */
    readonly unsettledNodes: readonly string[];
    /** What pods are given to trust, by namespace. */
    readonly published: readonly PublishedAuthorities[];
    readonly readers: readonly AuthorityReader[];
}

/** Of a namespace's `kube-root-ca.crt`. */
export interface PublishedAuthorities {
    readonly namespace: string;
    /** Their names. */
    readonly authorities: readonly string[];
    /** Milliseconds since 1970. */
    readonly since: number;
}

/** A pod that is given authorities with the token of its service account. */
export interface AuthorityReader {
    readonly namespace: string;
    /** What makes it anew: `daemonset/kube-proxy`; `pod/<name>`, where nothing does. */
    readonly workload: string;
    /** Of the pod, and of the container that has run for longest. Milliseconds since 1970. */
    readonly created: number;
    readonly started: number;
}

/** In which a kubelet has brought a pod the new contents of a ConfigMap: twice what its default settings come to. Unit: milliseconds. */
const deliveryMilliseconds = 120_000;

/** What stands in the way of another Kubernetes authority, but for who has which. */
export function authorityProblems(
    told: Pick<KeyLists, "kubernetesCa">,
    { unsettledNodes, published }: AuthorityFacts,
    wanted: Pick<KeyLists, "kubernetesCa">,
): string[] {
    const [has, next] = [told.kubernetesCa, wanted.kubernetesCa];
    if (isSame(has, next)) {
        return [];
    }
    const problem = (legal: string) => invalid("keys.kubernetesCa", legal, next).message;
    const unsettled = unsettledNodes.map((node) =>
        problem(`${JSON.stringify(has)} until the kubelet of ${node} has it: its node-agent is not Ready`),
    );
    const name = authorityName(next[0]!);
    const lacking = published.filter(({ authorities }) => !authorities.includes(name));
    if (has[0] === next[0] || lacking.length === 0) {
        return unsettled;
    }
    const where = lacking.map(({ namespace }) => namespace).join(", ");
    return [...unsettled, problem(`a list that begins with ${has[0]} until kube-root-ca.crt of ${where} has ${name}`)];
}

/** Who read authorities before the one came that is to issue from now on: most programs read them once. */
export function readerProblems(
    told: Pick<KeyLists, "kubernetesCa">,
    { published, readers }: AuthorityFacts,
    wanted: Pick<KeyLists, "kubernetesCa">,
): string[] {
    if (told.kubernetesCa[0] === wanted.kubernetesCa[0]) {
        return [];
    }
    const since = new Map(published.map((each) => [each.namespace, each.since]));
    const isLate = ({ namespace, created, started }: AuthorityReader) => {
        const published = since.get(namespace) ?? 0;
        return created < published && started < published + deliveryMilliseconds;
    };
    const late = readers.filter(isLate).map(({ namespace, workload }) => `${namespace} ${workload}`);
    return [...new Set(late)].sort().map((each) => {
        const [namespace, workload] = each.split(" ") as [string, string];
        const remedy = workload.startsWith("pod/")
            ? `make ${workload} of ${namespace} anew`
            : `kubectl -n ${namespace} rollout restart ${workload}`;
        return `${remedy}: it began before it could know authority ${wanted.kubernetesCa[0]}`;
    });
}

const distrust = [
    "CERT_SIGNATURE_FAILURE",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
];

/**
 * What it says of a list of authorities that the API can't be asked by it. @default - nothing
 *
 * Of the list that a cluster begins with nothing: at the address of a cluster that is away may be another one.
 */
export function accessProblem({ keys }: { readonly keys: KeyLists }, error: unknown): string | undefined {
    if (hasFirstAuthority(keys)) return undefined;
    const problem = (legal: string) => invalid("keys.kubernetesCa", legal, keys.kubernetesCa).message;
    if (distrust.includes((error as { code?: string }).code ?? "")) {
        return problem("a list with the authority of the certificate that kube-apiserver shows");
    }
    return error instanceof ApiError && error.status === 401
        ? problem("a list that begins with an authority that kube-apiserver trusts")
        : undefined;
}

/** The same of one whose first authority the stack does not have yet. */
export function unknownProblem({ kubernetesCa }: Pick<KeyLists, "kubernetesCa">): string {
    const why = `${kubernetesCa[0]} has to be trusted by all before it is used`;
    return invalid("keys.kubernetesCa", `a list that begins with one that is there: ${why}`, kubernetesCa).message;
}

type Authorities = Pick<KeyLists, "kubernetesCa">;

/** What an authority is called in the certificates that it issues: by this it is known on machines. */
export function authorityName(generation: number): string {
    return generation === 1 ? "kubernetes-ca" : `kubernetes-ca-${generation}`;
}

/** Whether a cluster has the authority that it began with, and no other: then no kubelet is told of any. */
export function hasFirstAuthority({ kubernetesCa }: Authorities): boolean {
    return isSame(kubernetesCa, firstKeys.kubernetesCa);
}

/** Those that are trusted, always in one order: which of them issues changes nothing for who trusts. */
export function trustedAuthorities({ kubernetesCa }: Authorities): number[] {
    return [...kubernetesCa].sort((one, other) => one - other);
}
