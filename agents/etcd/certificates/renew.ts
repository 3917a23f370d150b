import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { certificatesOf } from "../../../clients/certificates";
import { EtcdClient } from "../../../clients/etcd/client";
import { endTurn } from "../../../clients/etcd/turn";
import { describePassing, ifFound } from "../../../clients/kubernetes/api-error";
import { KubeletApi, type NodePod } from "../../../clients/kubernetes/kubelet-api";
import { probe } from "../../../clients/probe";
import { writeDurably } from "../../harness/durable";
import { type Patience, waitFor } from "../../harness/wait";
import { caFile, certificateFile, memberCredentials } from "../member/files";
import type { EtcdCertificatesPlan } from "./plan";
import { isBefore, processStart, restartMember, waitForAge } from "./restart";
import { hasAnnotation, readStaticPod } from "./static-pod";

/**
 * Replaces a member's certificate (for its existing key) and its trusted CAs, and waits until the member is healthy
 * with both.
 *
 * etcd reads its certificate at every handshake, so a new certificate needs no restart and open connections stay open.
 * It reads its trusted CAs only at start.
 *
 * @param source - directory of the new files
 * @throws if the certificate does not belong to this member, or the member is not healthy in time
 */
export async function renewMember(
    plan: EtcdCertificatesPlan,
    source: string,
    report: (message: string) => void,
): Promise<void> {
    const { name, pki } = plan;
    if (plan.mayLackMember && !existsSync(join(pki, certificateFile))) {
        report(`${name} has no member of etcd: nothing to do`);
        return;
    }
    const offered = (file: string) => readFileSync(join(source, file), "utf8");
    const current = (file: string) => readFileSync(join(pki, file), "utf8");
    const expected = new X509Certificate(offered(certificateFile));
    requireOwn(name, expected, { certificate: current(certificateFile), trusted: current(caFile) });
    const patience = () => ({ deadline: performance.now() + (plan.timeoutSeconds ?? 60) * 1000, report });
    if (current(caFile) !== offered(caFile)) {
        await waitForAge(plan, patience());
    }
    for (const file of [caFile, certificateFile]) {
        if (current(file) !== offered(file)) {
            writeDurably(join(pki, file), offered(file));
            report(`${name} has a new ${file}`);
        }
    }
    if (await isStale(plan, patience())) {
        await restartMember(plan, patience);
    }
    await waitFor(patience(), `${name} to present its new certificate`, async () => {
        try {
            const shown = await shownCertificate(plan);
            return shown === expected.fingerprint256 ? undefined : `it presents ${shown}`;
        } catch (error) {
            return (error as Error).message;
        }
    });
    report(`${name} presents it; it expires at ${new Date(expected.validTo).toISOString()}`);
    for (const url of [plan.healthUrl, plan.api?.server ?? []].flat()) {
        await waitFor(patience(), `${url} to be ready`, () => probe(`${url}/readyz`));
    }
    await showPod(plan, patience());
    if (plan.mayLackMember) await endTurn(new EtcdClient([plan.url], memberCredentials(pki)), name);
}

/** Whether the member runs with CAs other than those in its files, or its pod's annotation says so. */
async function isStale(plan: EtcdCertificatesPlan, patience: Patience): Promise<boolean> {
    if (!hasAnnotation(readStaticPod(plan.staticPod), plan.annotation)) {
        return true;
    }
    return isBefore(await processStart(plan, patience), statSync(join(plan.pki, caFile)).mtimeMs);
}

/**
 * Waits until the API shows the pod's annotations as they are on the machine: the stack reads them there before its
 * next step.
 *
 * The kubelet would not update them by itself, since to it this is the same pod. It does recreate a mirror pod that is
 * missing.
 */
async function showPod({ name, annotation, api }: EtcdCertificatesPlan, patience: Patience): Promise<void> {
    if (api === undefined) {
        return;
    }
    const client = new KubeletApi([api.server], api.credentials, "tradewind-etcd-certificates");
    const path = `/api/v1/namespaces/kube-system/pods/etcd-${name}`;
    let isRemoved = false;
    const observe = async () => {
        const pod = await ifFound(client.call<NodePod>(path));
        if (pod === undefined) return "the API has no such pod";
        if (hasAnnotation(pod, annotation)) return undefined;
        if (!isRemoved) {
            // At once: kubelets of 1.37 notice a mirror pod that is being deleted only in their next sync, a minute later.
            const { uid } = pod.metadata;
            const options = { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: 0, preconditions: { uid } };
            await client.call(path, { method: "DELETE", body: options });
            isRemoved = true;
        }
        return "the API still has its old annotations";
    };
    await waitFor(patience, "the API to show the member's updated pod", () => observe().catch(describePassing));
}

/** A member's files, as PEM. */
interface MemberFiles {
    readonly certificate: string;
    /** Its trusted CAs, one or more. */
    readonly trusted: string;
}

/** With a certificate from a CA that its peers do not trust, or for another key, a member could not reach its peers. */
function requireOwn(name: string, expected: X509Certificate, { certificate, trusted }: MemberFiles): void {
    const keyOf = ({ publicKey }: X509Certificate) => publicKey.export({ type: "spki", format: "pem" });
    if (keyOf(expected) !== keyOf(new X509Certificate(certificate))) {
        throw new Error(`the new certificate must be for the key of ${name} (got one for another key)`);
    }
    if (!certificatesOf(trusted).some(({ publicKey }) => expected.verify(publicKey))) {
        throw new Error(`the new certificate must be signed by a CA that ${name} trusts (got one from another CA)`);
    }
}

/** Fingerprint of the certificate that the member presents to new connections. */
function shownCertificate({ url, pki, name }: EtcdCertificatesPlan): Promise<string> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
        const socket = connect({
            host: hostname,
            port: Number(port),
            ...memberCredentials(pki)(),
            timeout: 5000,
        });
        socket.once("secureConnect", () => {
            const { fingerprint256 } = socket.getPeerCertificate();
            socket.destroy();
            resolve(fingerprint256);
        });
        socket.once("timeout", () => socket.destroy(new Error(`${name} did not answer in 5 s`)));
        socket.once("error", reject);
    });
}
