import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { certificatesOf } from "../../clients/certificates";
import { readKubeconfig } from "../../clients/kubernetes/api-client";
import type { Draft } from "./draft";
import type { CheckpointerPlan } from "./plan";

/** When a certificate on this controller expires. */
export interface CertificateEnd {
    /** The component that has it, or `pki` for files in `/etc/kubernetes/pki`. */
    readonly holder: string;
    readonly file: string;
    /** Seconds since 1970: of a bundle, the earliest. */
    readonly end: number;
}

/** Expiry of the certificates on this controller. */
export class CertificateEnds {
    readonly #observed = new Map<string, { readonly generation: string; readonly ends: readonly CertificateEnd[] }>();

    constructor(private readonly plan: Pick<CheckpointerPlan, "credentials">) {}

    /** Notes the certificates of running pods: it can't read those in checkpoints, which their users own. */
    note(drafts: ReadonlyMap<string, Pick<Draft, "generation" | "files">>): void {
        for (const [parent, { generation, files }] of drafts) {
            if (this.#observed.get(parent)?.generation === generation) continue;
            const all = Object.values(files).flat();
            const ends = all.flatMap(({ path, content }) => endOf(basename(parent), path, content.toString()));
            this.#observed.set(parent, { generation, ends });
        }
    }

    /** Those of running pods, and on the disk those of etcd and of the kubelet. */
    all(): CertificateEnd[] {
        const { ca, client } = this.plan.credentials;
        const pki = dirname(ca);
        return [
            ...[...this.#observed.values()].flatMap(({ ends }) => ends),
            ...filesIn(pki).flatMap((path) => endOf("pki", path, textOf(join(pki, path)))),
            ...endOf("kubelet", "client.crt", textOf(client)),
        ];
    }
}

function filesIn(directory: string): string[] {
    try {
        return readdirSync(directory, { recursive: true, encoding: "utf8" })
            .filter((path) => path.endsWith(".crt"))
            .sort();
    } catch {
        // On a joining controller it is created later.
        return [];
    }
}

/** Empty if the file is being replaced. */
function textOf(path: string): string {
    try {
        return readFileSync(path, "utf8");
    } catch {
        return "";
    }
}

function endOf(holder: string, file: string, text: string): CertificateEnd[] {
    if (!/\.crt$|^kubeconfig$/.test(file)) return [];
    try {
        const pem = file === "kubeconfig" ? readKubeconfig(text).credentials.cert : text;
        const ends = certificatesOf(pem).map(({ validTo }) => Date.parse(validTo) / 1000);
        return ends.length === 0 ? [] : [{ holder, file, end: Math.min(...ends) }];
    } catch {
        // No certificate: what it is instead is of no concern here.
        return [];
    }
}
