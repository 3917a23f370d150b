import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { certificatesOf } from "../../clients/certificates";
import { readKubeconfig } from "../../clients/kubernetes/api-client";
import type { CheckpointerPlan } from "./plan";
import type { Store } from "./store";

/** When a certificate on this controller expires. */
export interface CertificateEnd {
    /** The component that has it, or the folder in `/etc/kubernetes`. */
    readonly holder: string;
    readonly file: string;
    /** Seconds since 1970: of a bundle, the earliest. */
    readonly end: number;
}

/**
 * Certificates on this controller: those in checkpoints, which are those of the control plane's pods, those of etcd and
 * of the kubelet.
 */
export function certificateEnds(
    { credentials }: Pick<CheckpointerPlan, "credentials">,
    store: Store,
): CertificateEnd[] {
    const pki = dirname(credentials.ca);
    const checkpoints = store.all().flatMap(({ parent }) => {
        const holder = parent.slice(parent.indexOf("/") + 1);
        return endsIn(holder, store.volumes(parent));
    });
    const kubelet = endOf("kubelet", credentials.client, "kubelet-client.pem");
    return [...checkpoints, ...endsIn("pki", pki), ...kubelet];
}

function endsIn(holder: string, directory: string): CertificateEnd[] {
    return filesIn(directory).flatMap((path) => {
        const file = path.slice(path.lastIndexOf("/") + 1);
        const place = holder === "pki" ? path : file;
        return /\.crt$|^kubeconfig$/.test(file) ? endOf(holder, join(directory, path), place) : [];
    });
}

/** Without files that are being replaced. */
function filesIn(directory: string): string[] {
    try {
        return readdirSync(directory, { recursive: true, encoding: "utf8" }).sort();
    } catch {
        return [];
    }
}

function endOf(holder: string, path: string, file: string): CertificateEnd[] {
    try {
        const text = readFileSync(path, "utf8");
        const pem = file === "kubeconfig" ? readKubeconfig(text).credentials.cert : text;
        const ends = certificatesOf(pem).map(({ validTo }) => Date.parse(validTo) / 1000);
        return ends.length === 0 ? [] : [{ holder, file, end: Math.min(...ends) }];
    } catch {
        return [];
    }
}
