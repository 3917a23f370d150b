import * as pulumi from "@pulumi/pulumi";

/** What holds data, or gives a cluster its addresses: nothing in a cluster's daily life deletes or replaces it. */
const lasting = /:(Vpc|Volume|LoadBalancer|Bucket|SpacesBucket|Zone|Domain)$/;

/** A resource of every cluster, created after its machines. */
const last = /\/deployment\/kube-system\/coredns$/;

/**
 * Options of a cluster for which `protect` protects only the cluster itself and what lasts. Otherwise every child would
 * be protected, and renewed certificates, replaced machines and removed pools refused.
 *
 * A destroy is refused in its preview. Pulumi's automation skips that, and deletes until it meets a protected resource:
 * so one is protected that depends on everything before it, and is deleted first.
 */
export function protectingWhatLasts(opts: pulumi.ComponentResourceOptions = {}): pulumi.ComponentResourceOptions {
    const isProtected = opts.protect ?? (opts.parent as Internal | undefined)?.__protect;
    if (!isProtected) return opts;
    const before: pulumi.Resource[] = [];
    const sparing: pulumi.ResourceTransformation = ({ resource, type, name, props, opts: own }) => {
        const isLast = last.test(name);
        const protect = own.protect ?? (isLast || lasting.test(type));
        if (!isLast) before.push(resource);
        const needed = isLast ? before.filter(pulumi.CustomResource.isInstance) : [];
        const dependsOn = pulumi.output(own.dependsOn).apply((given) => [given ?? [], needed].flat());
        return { props, opts: { ...own, protect, ...(isLast && { dependsOn }) } };
    };
    return { ...opts, protect: true, transformations: [...(opts.transformations ?? []), sparing] };
}

/** The SDK inherits the option from this. */
interface Internal {
    readonly __protect?: boolean;
}
