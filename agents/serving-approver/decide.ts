import { isPending } from "../common/signing-requests";
import { parseRequest } from "../node-approver/request";
import { serverNames } from "./names";
import type { Machines } from "./plan";

/** The signer of kubelets' server certificates. */
export const servingSigner = "kubernetes.io/kubelet-serving";

/** A CertificateSigningRequest, as far as it is looked at. */
export interface ServingRequest {
    readonly metadata: { readonly name: string; readonly resourceVersion: string };
    readonly spec: {
        /** PEM in base64. */
        readonly request: string;
        readonly signerName: string;
        /** Who asks, as the API knows him. */
        readonly username?: string;
        readonly groups?: readonly string[];
        readonly usages?: readonly string[];
    };
    readonly status?: { readonly conditions?: readonly { readonly type: string }[] };
}

export type ServingDecision =
    | { readonly isApproved: true; readonly node: string }
    | { readonly isApproved: false; readonly why: string };

const usages = ["server auth", "digital signature", "key encipherment"];

/**
 * Whether a kubelet asks for itself, and for names and addresses of its own machine alone; `undefined` where the request is of
 * another kind, or has an answer.
 *
 * What a node says of itself counts for nothing: it could have any address.
 */
export function decideServing(request: ServingRequest, machines: Machines): ServingDecision | undefined {
    const { spec } = request;
    if (spec.signerName !== servingSigner || !isPending(request)) return undefined;
    const why = refusal(spec, machines);
    return typeof why === "string" ? { isApproved: false, why } : { isApproved: true, node: why.node };
}

/** The node that a request says it is of. */
export function nodeOf({ username = "" }: Pick<ServingRequest["spec"], "username">): string | undefined {
    return /^system:node:(.+)$/.exec(username)?.[1];
}

function refusal(spec: ServingRequest["spec"], machines: Machines): string | { readonly node: string } {
    const node = nodeOf(spec) ?? "";
    if (!spec.groups?.includes("system:nodes") || node === "") return `${spec.username} is no node`;
    const addresses = Object.hasOwn(machines, node) ? machines[node] : undefined;
    if (addresses === undefined) return `${node} is no machine of the stack`;
    const strange = spec.usages?.find((usage) => !usages.includes(usage));
    if (strange || !spec.usages?.includes("server auth")) return `its usages are ${spec.usages?.join(", ")}`;
    try {
        const pem = Buffer.from(spec.request, "base64").toString("utf8");
        const { commonName, organizations } = parseRequest(pem);
        if (commonName !== spec.username || organizations.join() !== "system:nodes") {
            return `it is for ${commonName} of ${organizations.join(", ")}, and ${spec.username} asks`;
        }
        const names = serverNames(pem);
        const others = [
            ...names.dnsNames.filter((name) => name !== node && !addresses.includes(name)),
            ...names.addresses.filter((address) => !addresses.includes(address)),
        ];
        if (others.length > 0) return `${others.join(", ")} is not of ${node}, which has ${addresses.join(", ")}`;
        return names.addresses.length > 0 ? { node } : "it has no address";
    } catch (error) {
        return (error as Error).message;
    }
}
