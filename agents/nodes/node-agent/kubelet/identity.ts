import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { certificatesOf, commonNameOf } from "../../../../clients/certificates";
import { removeDurably, replaceLink, writeDurably } from "../../../harness/durable";
import type { KubeletIdentity } from "../plan";

/** Whose the kubelet's certificates are: of the authority that is to issue them, of another one, or not there yet. */
export type Issuance = "wanted" | "others" | "awaited";

/**
 * By whom the kubelet is known, and whom it trusts.
 *
 * It is never without what it needs: it may be started at any moment, with the settings of before or with those that come.
 */
export class Identity {
    readonly #plan: KubeletIdentity;
    readonly #published: string;
    readonly #nodeName: string;

    /** @param published - file of the authorities that the cluster has published */
    constructor(plan: KubeletIdentity, published: string, nodeName: string) {
        this.#plan = plan;
        this.#published = published;
        this.#nodeName = nodeName;
    }

    /** Why the kubelet can't be told of its authorities yet, if so. */
    lack(): string | undefined {
        const names = this.#authorities().map(commonNameOf).sort();
        const wanted = [...this.#plan.authorities].sort();
        return names.join() === wanted.join()
            ? undefined
            : `kube-root-ca.crt has the authorities ${names.join(", ")}, not yet ${wanted.join(", ")}`;
    }

    issuance(): Issuance {
        const states = this.#certificates().map((file) => this.#issuanceOf(file));
        return states.find((state) => state === "others") ?? states.find((state) => state === "awaited") ?? "wanted";
    }

    /** Lays out what the kubelet finds when it starts with the plan's settings. @throws if it is not known whom to trust */
    prepare(): void {
        const lack = this.lack();
        if (lack !== undefined) throw new Error(lack);
        this.#write(authoritiesFile, readFileSync(this.#published, "utf8"), 0o644);
        this.#write(kubeconfigFile, this.#access(kubeletClientFile));
        if (this.#issuanceOf(kubeletClientFile) === "others") {
            this.#write(previousClientFile, readFileSync(this.#path(kubeletClientFile), "utf8"));
            this.#write(bootstrapKubeconfigFile, this.#access(previousClientFile));
        }
    }

    /** Has the kubelet ask for certificates when it starts next, where it has others. Once it is prepared and selected. */
    layAside(): void {
        for (const file of this.#certificates()) {
            if (this.#issuanceOf(file) === "others") removeDurably(this.#path(file));
        }
    }

    /** Gives back what the kubelet was known by, if it got nothing in its place. */
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
        const certificate = new X509Certificate(readFileSync(path));
        // Another one may have had its name.
        return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey) ? "wanted" : "others";
    }

    #authorities(): X509Certificate[] {
        return certificatesOf(readFileSync(this.#published, "utf8"));
    }

    /** A kubeconfig of files: those that change are read anew. */
    #access(client: string): string {
        const { apiServer, otherApiServers = {} } = this.#plan;
        const file = this.#path(client);
        const server = otherApiServers[this.#nodeName] ?? apiServer;
        const config = {
            apiVersion: "v1",
            kind: "Config",
            clusters: [{ name: "cluster", cluster: { server, "certificate-authority": this.#path(authoritiesFile) } }],
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

/** The certificate and key by which the kubelet is known to the API: in the directory where it keeps them, like all here. */
export const kubeletClientFile = "kubelet-client-current.pem";

/** The same of the server that it is, where it asks the cluster for it. */
const kubeletServerFile = "kubelet-server-current.pem";

/** By which it was known before it asked for one of another authority. */
const previousClientFile = "kubelet-client-previous.pem";

/** Certificates of the authorities that it trusts, once they are others than the one that its machine booted with. */
export const authoritiesFile = "authorities.crt";

/** How it asks the API from then on, and how it asks for its first certificate. */
export const kubeconfigFile = "kubeconfig";
export const bootstrapKubeconfigFile = "bootstrap-kubeconfig";
