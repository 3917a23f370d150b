import type * as pulumi from "@pulumi/pulumi";

/** What holds data, or gives a cluster its addresses: nothing in a cluster's daily life deletes or replaces it. */
const lasting = /:(Vpc|Volume|LoadBalancer|Bucket|SpacesBucket|Zone|Domain)$/;

/**
 * Options of a cluster for which `protect` protects only the cluster itself and what lasts. Otherwise every child would
 * be protected, and renewed certificates, replaced machines and removed pools refused.
 */
export function protectingWhatLasts(opts: pulumi.ComponentResourceOptions = {}): pulumi.ComponentResourceOptions {
    const isProtected = opts.protect ?? (opts.parent as Internal | undefined)?.__protect;
    if (!isProtected) return opts;
    const sparing: pulumi.ResourceTransformation = ({ type, props, opts: { protect, ...others } }) => ({
        props,
        opts: { ...others, protect: protect ?? lasting.test(type) },
    });
    return { ...opts, protect: true, transformations: [...(opts.transformations ?? []), sparing] };
}

/** The SDK inherits the option from this. */
interface Internal {
    readonly __protect?: boolean;
}
