import { invalid, requireMatch } from "../cluster/validate";
import type { Aws } from "./resolve";

type Needs = Pick<Aws, "natGateways" | "vpcEndpoints" | "hasCloudController" | "hasCsiDriver" | "hasClusterAutoscaler">;

/**
 * Services that have an endpoint with addresses where nothing gets out: those that clouds' own controllers call, and those
 * that were asked for.
 *
 * None of them calls STS, since instances have their rights from their metadata.
 */
export function endpointServices(aws: Needs): string[] {
    if (aws.natGateways !== "none") return [];
    const called = [
        ...(aws.hasCloudController ? ["ec2", "elasticloadbalancing"] : []),
        ...(aws.hasCsiDriver ? ["ec2"] : []),
        ...(aws.hasClusterAutoscaler ? ["autoscaling", "ec2"] : []),
    ];
    return [...new Set([...called, ...aws.vpcEndpoints])].sort();
}

/** Checks services that were asked for. */
export function requireEndpoints(services: readonly string[] | undefined, natGateways: string): readonly string[] {
    if (services && natGateways !== "none") {
        throw invalid("vpcEndpoints", "left out unless natGateways is none", services);
    }
    return (services ?? []).map((service, index) => {
        const option = `vpcEndpoints[${index}]`;
        if (services!.indexOf(service) !== index) throw invalid(option, "given once", service);
        if (service === "s3") throw invalid(option, "left out, since s3 has one already", service);
        return requireMatch(
            option,
            /^[a-z0-9][a-z0-9.-]{0,60}$/,
            "the end of a service's name, such as ecr.api of com.amazonaws.eu-central-1.ecr.api",
            service,
        );
    });
}
