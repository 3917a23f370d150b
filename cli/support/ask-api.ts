import type { ApiClient } from "../../agents/common/api-client";
import { describeError } from "../../agents/common/api-error";
import type { Gathered } from "./gathered";

const SYSTEM = "/api/v1/namespaces/kube-system";

/** What is asked of the API, by the file that gets the answer. Secrets and ConfigMaps are not. */
const QUESTIONS: Readonly<Record<string, string>> = {
    "api/readyz.txt": "/readyz?verbose",
    "api/nodes.json": "/api/v1/nodes",
    "api/node-events.json": "/api/v1/namespaces/default/events",
    "api/events.json": `${SYSTEM}/events`,
    "api/daemonsets.json": "/apis/apps/v1/namespaces/kube-system/daemonsets",
    "api/deployments.json": "/apis/apps/v1/namespaces/kube-system/deployments",
    "api/jobs.json": "/apis/batch/v1/namespaces/kube-system/jobs",
    "api/leases.json": "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases",
    "api/disruption-budgets.json": "/apis/policy/v1/poddisruptionbudgets",
    "api/certificate-requests.json": "/apis/certificates.k8s.io/v1/certificatesigningrequests",
    "api/etcd-status.json": `${SYSTEM}/configmaps/etcd-status`,
};

/** Lines of each container's log, of its present run and of the one before. */
const LOG_LINES = 2000;

interface PodList {
    readonly items?: readonly Pod[];
}

interface Pod {
    readonly metadata: { readonly name: string };
    readonly status: {
        readonly containerStatuses?: readonly { readonly name: string; readonly restartCount: number }[];
        readonly initContainerStatuses?: readonly { readonly name: string; readonly restartCount: number }[];
    };
}

/** What a cluster's API tells. Once it has turned out not to answer, nothing more is asked. */
export async function askApi(api: ApiClient, into: Gathered): Promise<void> {
    const ask = async (file: string, path: string, timeoutMilliseconds = 20_000) => {
        const answer = await api.call<unknown>(path, { timeoutMilliseconds });
        into.add(file, typeof answer === "string" ? answer : `${JSON.stringify(answer, undefined, 2)}\n`);
        return answer;
    };
    const askOrMiss = (file: string, path: string) =>
        ask(file, path).catch((error) => into.miss(file, describeError(error)));
    try {
        // One that hangs must not keep whoever has to find out why.
        await ask("api/version.json", "/version", 5_000);
    } catch (error) {
        return into.miss("api", describeError(error));
    }
    for (const [file, path] of Object.entries(QUESTIONS)) {
        await askOrMiss(file, path);
    }
    const pods = await askOrMiss("api/pods.json", `${SYSTEM}/pods`);
    for (const { metadata, status } of (pods as PodList | undefined)?.items ?? []) {
        for (const { name, restartCount } of [
            ...(status.initContainerStatuses ?? []),
            ...(status.containerStatuses ?? []),
        ]) {
            for (const run of restartCount > 0 ? ["now", "before"] : ["now"]) {
                const query = `container=${name}&tailLines=${LOG_LINES}&timestamps=true&previous=${run === "before"}`;
                const file = `logs/${metadata.name}/${name}.${run}.log`;
                await askOrMiss(file, `${SYSTEM}/pods/${metadata.name}/log?${query}`);
            }
        }
    }
}
