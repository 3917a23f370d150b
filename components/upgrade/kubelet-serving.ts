import { type ApiClient, list } from "../../clients/kubernetes/api-client";
import { describeError } from "../../clients/kubernetes/api-error";
import { isReady, type Node } from "../../clients/kubernetes/objects";
import type { Cluster } from "../../cluster/model";
import { invalid } from "../../cluster/validate";

/** What a kubelet reports at `configz`, as far as it is read. */
interface Configz {
    readonly kubeletconfig?: { readonly serverTLSBootstrap?: boolean };
}

/**
 * Why kube-apiserver cannot verify kubelets yet: it would lose logs, `exec` and metrics of those with certificates of
 * their own. A kubelet that requests one from the cluster does not serve without it.
 *
 * @param flags - of the kube-apiserver that was applied last
 */
export async function kubeletServingProblem(
    api: Pick<ApiClient, "call">,
    { certificates: { kubeletServing } }: Pick<Cluster, "certificates">,
    flags: readonly string[],
): Promise<string | undefined> {
    const isVerified = flags.some((flag) => flag.startsWith("--kubelet-certificate-authority="));
    if (kubeletServing !== "verified" || isVerified) return undefined;
    const nodes = (await list<Node>(api, "/api/v1/nodes")).filter(({ status }) => isReady(status));
    const lacking = await Promise.all(nodes.map(({ metadata: { name } }) => problemOf(api, name)));
    const problems = lacking.filter((problem) => problem !== undefined);
    if (problems.length === 0) return undefined;
    const shown = problems.slice(0, mostShown).join(", ");
    const more = problems.length > mostShown ? ` and ${problems.length - mostShown} more` : "";
    const legal = `"issued" until every kubelet has a serving certificate of the cluster (${shown}${more})`;
    const steps = 'set certificates.kubeletServing to "issued", run pulumi up, and then set "verified"';
    return `${invalid("certificates.kubeletServing", legal, kubeletServing).message}; ${steps}`;
}

const mostShown = 3;

async function problemOf(api: Pick<ApiClient, "call">, node: string): Promise<string | undefined> {
    try {
        const { kubeletconfig } = await api.call<Configz>(`/api/v1/nodes/${node}/proxy/configz`);
        return kubeletconfig?.serverTLSBootstrap ? undefined : `${node} has its own`;
    } catch (error) {
        return `${node}: ${describeError(error)}`;
    }
}
