import { parse } from "yaml";
import type { Target } from "./prober";

/** Runs kubectl as an administrator. */
export type Kubectl = (...args: string[]) => Promise<string>;

const path = "/api/v1/namespaces/default/configmaps";

/**
 * A target for an administrator, with a kubeconfig's certificate, and one for an account that can only read ConfigMaps.
 */
export async function probeTargets(host: string, kubeconfig: string, kubectl: Kubectl): Promise<Target[]> {
    const { clusters, users } = parse(kubeconfig);
    const pem = (base64: string) => Buffer.from(base64, "base64").toString();
    const ca = pem(clusters[0].cluster["certificate-authority-data"]);
    const { "client-certificate-data": cert, "client-key-data": key } = users[0].user;
    const servername: string | undefined = clusters[0].cluster["tls-server-name"];
    const at = { host, port: 6443, ca, path, ...(servername && { servername }) };
    return [
        { ...at, identity: { cert: pem(cert), key: pem(key) } },
        { ...at, identity: { token: await readerToken(kubectl) } },
    ];
}

/** A token of an account that is only authorized by RBAC: a new apiserver rejects it until its caches are filled. */
async function readerToken(kubectl: Kubectl): Promise<string> {
    // Left by another test of the same cluster.
    await kubectl("delete", "--ignore-not-found", "serviceaccount/prober", "role/prober", "rolebinding/prober");
    await kubectl("create", "serviceaccount", "prober");
    await kubectl("create", "role", "prober", "--verb=get,list,watch", "--resource=configmaps");
    await kubectl("create", "rolebinding", "prober", "--role=prober", "--serviceaccount=default:prober");
    return (await kubectl("create", "token", "prober", "--duration=1h")).trim();
}
