import { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import type { Deployed } from "../../deploy";

/** A resource referred to in another one's options. */
export class Created extends pulumi.CustomResource {
    constructor(name: string) {
        super("test:index:Made", name, {});
    }
}

/** What every part of a cluster gets from its owner: a provider, and the resource whose loss destroys the cluster. */
export function ownership() {
    return { provider: new Provider("cluster", { kubeconfig: "kubeconfig" }), deletedWith: new Created("network") };
}

/** The objects of a cluster among resources. */
export function objectsOf(resources: readonly Deployed[]): Deployed[] {
    return resources.filter(({ type }) => /^kubernetes:(?!index|yaml)/.test(type));
}

/** A Secret's contents as text. */
export function textsOf({ inputs }: Deployed): Record<string, string> {
    const entries = Object.entries<string>(inputs.data);
    return Object.fromEntries(entries.map(([key, text]) => [key, Buffer.from(text, "base64").toString()]));
}
