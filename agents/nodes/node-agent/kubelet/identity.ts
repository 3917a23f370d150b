import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { certificatesOf, commonNameOf } from "../../../../clients/certificates";
import { removeDurably, replaceLink, writeDurably } from "../../../harness/durable";
import { readState } from "../../../harness/state-file";
import type { KubeletIdentity } from "../plan";

/** Issuer of the kubelet's certificates: the desired CA, another one, or none yet. */
export type Issuance = "desired" | "others" | "awaited";

/**
 * The kubelet's certificates, and the CAs that it trusts.
 *
 * It always has what it needs: it may be started at any moment, with the old settings or the new ones.
 */
export class Identity {
    readonly #plan: KubeletIdentity;
    readonly #published: string;
    readonly #nodeName: string;

    /** @param published - file of the CAs that the cluster has published */
    constructor(plan: KubeletIdentity, published: string, nodeName: string) {
        this.#plan = plan;
        this.#published = published;
        this.#nodeName = nodeName;
    }

    /** Why the kubelet's CAs can't be set yet, if so. */
    lack(): string | undefined {
        const names = this.#authorities().map(commonNameOf).sort();
        const expected = [...this.#plan.authorities].sort();
        return names.join() === expected.join()
            ? undefined
            : `kube-root-ca.crt has the CAs ${names.join(", ")}, not yet ${expected.join(", ")}`;
    }

    issuance(): Issuance {
        const states = this.#certificates().map((file) => this.#issuanceOf(file));
        return states.find((state) => state === "others") ?? states.find((state) => state === "awaited") ?? "desired";
    }

    /** Writes what the kubelet needs to start with the plan's settings. @throws if the CAs to trust are not known */
    prepare(): void {
        const lack = this.lack();
        if (lack !== undefined) throw new Error(lack);
        this.#write(trustedCasFile, readFileSync(this.#published, "utf8"), 0o644);
        this.#write(kubeconfigFile, this.#access(kubeletClientFile));
        if (this.#issuanceOf(kubeletClientFile) === "others") {
            this.#write(previousClientFile, readFileSync(this.#path(kubeletClientFile), "utf8"));
            this.#write(bootstrapKubeconfigFile, this.#access(previousClientFile));
        }
    }

    /**
     * Moves other certificates aside, so that the kubelet requests new ones at its next start. Call it after prepare
     * and select.
     */
    layAside(): void {
        for (const file of this.#certificates()) {
            if (this.#issuanceOf(file) === "others") removeDurably(this.#path(file));
        }
    }

    /** Restores the kubelet's previous certificate if it got no new one. */
    restore(): void {
        if (!existsSync(this.#path(kubeletClientFile)) && existsSync(this.#path(previousClientFile))) {
            replaceLink(this.#path(kubeletClientFile), this.#path(previousClientFile));
        }
    }

    #certificates(): readonly string[] {
        return [kubeletClientFile, ...(this.#plan.asksForServer ? [kubeletServerFile] : [])];
    }

    #issuanceOf(file: string): Issuance {
        const path = this.#path(file);
        const issuer = this.#authorities().find((each) => commonNameOf(each) === this.#plan.issuer);
        if (!existsSync(path) || issuer === undefined) {
            return "awaited";
        }
        const certificate = readState(path, (text) => new X509Certificate(text));
        if (certificate === undefined) return "awaited";
        // Another CA may have had the same name.
        return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey) ? "desired" : "others";
    }

    #authorities(): X509Certificate[] {
        return certificatesOf(readFileSync(this.#published, "utf8"));
    }

    /** A kubeconfig that refers to files, which are reread when they change. */
    #access(client: string): string {
        const { apiServer, otherApiServers = {} } = this.#plan;
        const file = this.#path(client);
        const server = otherApiServers[this.#nodeName] ?? apiServer;
        const config = {
            apiVersion: "v1",
            kind: "Config",
            clusters: [{ name: "cluster", cluster: { server, "certificate-authority": this.#path(trustedCasFile) } }],
            users: [{ name: "kubelet", user: { "client-certificate": file, "client-key": file } }],
            contexts: [{ name: "kubelet", context: { cluster: "cluster", user: "kubelet" } }],
            "current-context": "kubelet",
        };
        return `${JSON.stringify(config, null, 2)}\n`;
    }

    #write(file: string, text: string, mode = 0o600): void {
        writeDurably(this.#path(file), text, { mode });
    }

    #path(file: string): string {
        return join(this.#plan.directory, file);
    }
}

/** The kubelet's client certificate and key, in the directory where it keeps them, like all files here. */
export const kubeletClientFile = "kubelet-client-current.pem";

/** Its server certificate, if it requests one from the cluster. */
const kubeletServerFile = "kubelet-server-current.pem";

/** Its previous client certificate, from before it requested one from another CA. */
const previousClientFile = "kubelet-client-previous.pem";

/** The CAs that it trusts, once they differ from the one that its machine booted with. */
export const trustedCasFile = "authorities.crt";

/** Its kubeconfig from then on, and the one for requesting its first certificate. */
export const kubeconfigFile = "kubeconfig";
export const bootstrapKubeconfigFile = "bootstrap-kubeconfig";
