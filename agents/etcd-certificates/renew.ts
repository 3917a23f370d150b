import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../common/durable";
import { authorityFile, certificateFile } from "../common/member-files";
import { probe } from "../common/probe";
import { waitFor } from "../common/wait";
import { requireOwn } from "./own-certificate";
import type { EtcdCertificatesPlan } from "./plan";
import { waitForAge } from "./process-start";
import { restartMember } from "./restart";
import { showPod } from "./show";
import { shownCertificate } from "./shown-certificate";
import { isStale } from "./stale";

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
