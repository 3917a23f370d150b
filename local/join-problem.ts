import { certificatesOf } from "../clients/certificates";
import { paths } from "../cluster/paths";
import { askMachine } from "../machines";

/** Milliseconds for a machine to answer. */
const patience = 5_000;

/** Why the kubelet of a machine cannot join, if its client certificate tells; empty otherwise. */
export async function joinProblem(cluster: string, node: string): Promise<string> {
    const script = `sed -n '/BEGIN CERTIFICATE/,/END CERTIFICATE/p' ${paths.kubeletClient} 2>/dev/null || true`;
    const pem = await askMachine(cluster, node, ["sh", "-c", script], patience).catch(() => undefined);
    return pem === undefined ? "" : describeJoining(cluster, pem);
}

/** @param pem - the kubelet's client certificate; empty if there is none */
export function describeJoining(cluster: string, pem: string, now = Date.now()): string {
    const [certificate] = certificatesOf(pem);
    const ended = certificate && new Date(certificate.validTo);
    if (ended && ended.getTime() > now) return "";
    const has = ended ? `a client certificate that ended at ${ended.toISOString()}` : "no client certificate";
    const option = cluster === "local" ? "" : ` --name ${cluster}`;
    return (
        `its kubelet has ${has}, and requests one with its bootstrap token, which is valid for a day: ` +
        `tradewind recover --from api${option} renews tokens that have expired or are missing`
    );
}
