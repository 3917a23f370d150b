import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { describePassing, ifFound } from "../../../clients/kubernetes/api-error";
import { KubeletApi } from "../../../clients/kubernetes/kubelet-api";
import { probe } from "../../../clients/probe";
import { writeDurably } from "../../harness/durable";
import { type Patience, waitFor } from "../../harness/wait";
import { authorityFile, certificateFile, memberCredentials } from "../member/files";
import type { EtcdCertificatesPlan } from "./plan";
import { isBefore, processStart, restartMember, waitForAge } from "./restart";
import { type AnnotatedPod, tells } from "./static-pod";

/**
 * Gives a member another certificate for the key that it has, and other authorities to trust, and waits until it is
 * whole with both.
 *
 * etcd reads its certificate at every handshake: for that it goes on without a restart, and so do its open connections.
 * Whom it trusts it reads when it starts.
 *
 * @param source - directory of what is new
 * @throws if the certificate is not one for this member, or the member does not get there in time
 */
export async function renewMember(
    plan: EtcdCertificatesPlan,
    source: string,
    report: (message: string) => void,
): Promise<void> {
    const { name, pki } = plan;
    const offered = (file: string) => readFileSync(join(source, file), "utf8");
    const current = (file: string) => readFileSync(join(pki, file), "utf8");
    const wanted = new X509Certificate(offered(certificateFile));
    requireOwn(name, wanted, { certificate: current(certificateFile), authorities: current(authorityFile) });
    const patience = () => ({ deadline: performance.now() + (plan.timeoutSeconds ?? 60) * 1000, report });
    if (current(authorityFile) !== offered(authorityFile)) {
        await waitForAge(plan, patience());
    }
    for (const file of [authorityFile, certificateFile]) {
        if (current(file) !== offered(file)) {
            writeDurably(join(pki, file), offered(file));
            report(`${name} has another ${file}`);
        }
    }
    if (await isStale(plan, patience())) {
        await restartMember(plan, patience);
    }
    await waitFor(patience(), `${name} to show its new certificate`, async () => {
        try {
            const shown = await shownCertificate(plan);
            return shown === wanted.fingerprint256 ? undefined : `it shows ${shown}`;
        } catch (error) {
            return (error as Error).message;
        }
    });
    report(`${name} shows it, until ${new Date(wanted.validTo).toISOString()}`);
    for (const url of [plan.healthUrl, plan.api?.server ?? []].flat()) {
        await waitFor(patience(), `${url} to be ready`, () => probe(`${url}/readyz`));
    }
    await showPod(plan, patience());
}

/** Whether the member runs with other authorities than those of its files, or its pod says so. */
async function isStale(plan: EtcdCertificatesPlan, patience: Patience): Promise<boolean> {
    if (!tells(JSON.parse(readFileSync(plan.staticPod, "utf8")), plan.annotation)) {
        return true;
    }
    return isBefore(await processStart(plan, patience), statSync(join(plan.pki, authorityFile)).mtimeMs);
}

type MirrorPod = AnnotatedPod & {
    readonly metadata: { readonly namespace: string; readonly name: string; readonly uid: string };
};

/**
 * Waits until the API has the member's pod say what it says on its machine: before the next step, the stack asks there.
 *
 * The kubelet would not tell by itself: to it, it is the same pod. It tells anew of one that is not there.
 */
async function showPod({ name, annotation, api }: EtcdCertificatesPlan, patience: Patience): Promise<void> {
    if (api === undefined) {
        return;
    }
    const client = new KubeletApi([api.server], api.credentials, "tradewind-etcd-certificates");
    const path = `/api/v1/namespaces/kube-system/pods/etcd-${name}`;
    let isRemoved = false;
    const look = async () => {
        const pod = await ifFound(client.call<MirrorPod>(path));
        if (pod === undefined) return "it knows none";
        if (tells(pod, annotation)) return undefined;
        if (!isRemoved) {
            await client.remove(pod);
            isRemoved = true;
        }
        return "it knows it as it was";
    };
    await waitFor(patience, "the API to know the member's pod as it is", () => look().catch(describePassing));
}

/** A member's files, as PEM. */
interface MemberFiles {
    readonly certificate: string;
    /** Whom it trusts: one or several. */
    readonly authorities: string;
}

/** With a certificate of an authority that its peers do not know, or of another key, a member would be lost to them. */
function requireOwn(name: string, wanted: X509Certificate, { certificate, authorities }: MemberFiles): void {
    const keyOf = ({ publicKey }: X509Certificate) => publicKey.export({ type: "spki", format: "pem" });
    if (keyOf(wanted) !== keyOf(new X509Certificate(certificate))) {
        throw new Error(`the new certificate must be for the key that ${name} has, got one for another`);
    }
    if (!certificatesIn(authorities).some(({ publicKey }) => wanted.verify(publicKey))) {
        throw new Error(`the new certificate must be of an authority that ${name} trusts, got one of another`);
    }
}

function certificatesIn(pem: string): X509Certificate[] {
    const each = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    return each.map((text) => new X509Certificate(text));
}

/** Fingerprint of the certificate that the member shows who connects now. */
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
