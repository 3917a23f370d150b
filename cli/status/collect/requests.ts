import { nodeOf as requestedNode, signerName } from "../../../agents/nodes/approver/identify";
import { nodeOf, servingSigner } from "../../../agents/nodes/serving-approver/decide";
import { type Caller, list } from "../../../clients/kubernetes/api-client";
import type { CertificateSigningRequest, Pod } from "../../../clients/kubernetes/objects";
import { isPending } from "../../../clients/kubernetes/signing-requests";
import type { RequestFacts } from "../facts";
import { secondsSince } from "./nodes";

/** The agents that approve kubelets' requests, by signer. */
const approvers: Readonly<Record<string, RequestFacts["approver"]>> = {
    [signerName]: "node-approver",
    [servingSigner]: "serving-approver",
};

/** An agent answers within seconds. */
const usualSeconds = 15;

/** Timeout of a call in milliseconds. */
const CALL_MS = 2_000;

/**
 * Requests of kubelets that wait longer than usual at this time, with the reasons from the logs of the agents.
 *
 * @param known - the agents' pods, and the time in milliseconds since 1970
 */
export async function waitingRequests(
    api: Caller,
    known: Promise<{ readonly pods: readonly Pod[]; readonly now: number }>,
): Promise<RequestFacts[]> {
    const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests?limit=500";
    const [requests, { pods, now }] = await Promise.all([
        list<CertificateSigningRequest>(api, path, { timeoutMilliseconds: CALL_MS }),
        known,
    ]);
    const waiting = requests.flatMap((request): RequestFacts[] => {
        const { metadata, spec } = request;
        const approver = approvers[spec.signerName];
        const ageSeconds = secondsSince(metadata.creationTimestamp, now);
        if (approver === undefined || !isPending(request) || ageSeconds < usualSeconds) return [];
        return [{ name: metadata.name, node: claimedNode(spec), approver, ageSeconds }];
    });
    const asked = [...new Set(waiting.map(({ approver }) => approver))];
    const logs = Object.fromEntries(
        await Promise.all(asked.map(async (approver) => [approver, await logsOf(api, approver, pods)] as const)),
    );
    return waiting.map((request) => ({ ...request, reason: reasonIn(logs[request.approver] ?? [], request.name) }));
}

/** Of the machine's own requests the user; a joining one is no node yet. */
function claimedNode(spec: CertificateSigningRequest["spec"]): string | undefined {
    const requested = requestedNode(spec);
    return nodeOf(spec) ?? ("node" in requested ? requested.node : undefined);
}

/** The last lines of all its pods; none of a pod whose log cannot be read. */
async function logsOf(api: Caller, approver: string, pods: readonly Pod[]): Promise<string[]> {
    const own = pods.filter(({ metadata }) => metadata.labels?.["k8s-app"] === approver);
    const texts = await Promise.all(
        own.map(({ metadata: { name } }) => {
            const path = `/api/v1/namespaces/kube-system/pods/${name}/log?tailLines=2000`;
            return api.call<string>(path, { timeoutMilliseconds: CALL_MS }).catch(() => "");
        }),
    );
    return texts.flatMap((text) => text.split("\n"));
}

/** The agents log each reason once. */
function reasonIn(lines: readonly string[], name: string): string | undefined {
    const start = `not approving ${name}: `;
    return lines.findLast((line) => line.startsWith(start))?.slice(start.length);
}
