import type { Input } from "@pulumi/pulumi";
import { conflictsWith, invalid, requireMatch } from "../../../cluster/validate";
import { pullPolicy, requirePolicies, sessionPolicy } from "../iam/managed-policies";
import type { Aws, AwsInstance } from "../model";
import type { AwsInstanceOptions, AwsOptions } from "../options";
import { requireCpuCredits, requireDisk } from "./disks";
import { nameOfImage, requireImage } from "./images";
import { architectureOf, isNitro } from "./instance-types";

/** Validates the options of a pool's instances and applies the defaults. */
export function requireInstance(
    option: string,
    options: AwsInstanceOptions & { instanceTypes?: string[] },
    cluster: Pick<AwsOptions, "image" | "sessionManager" | "ecrPulls" | "region">,
): AwsInstance {
    const { image: shared = "flatcar-stable", sessionManager, ecrPulls, region } = cluster;
    const { instanceTypes, diskSize = 30, image, diskType, diskIops, diskThroughput } = options;
    const { instanceType = instanceTypes?.[0] ?? "t3.medium" } = options;
    const pattern = /^[a-z][a-z0-9-]*\.[a-z0-9-]+$/;
    const legal = "an instance type, such as t3.medium";
    if (instanceTypes === undefined) {
        requireMatch(`${option}.instanceType`, pattern, legal, instanceType);
    }
    instanceTypes?.forEach((each, index) => {
        requireMatch(`${option}.instanceTypes[${index}]`, pattern, legal, each);
    });
    if (!Number.isInteger(diskSize) || diskSize < 10 || diskSize > 16_384) {
        throw invalid(`${option}.diskSize`, "a whole number of GiB from 10 to 16384", diskSize);
    }
    const cpuCredits = requireCpuCredits(option, options.cpuCredits, instanceTypes ?? [instanceType]);
    const imageOption = image === undefined ? "image" : `${option}.image`;
    return {
        instanceType,
        disk: requireDisk(`${option}.disk`, {
            size: diskSize,
            type: diskType,
            iops: diskIops,
            throughput: diskThroughput,
        }),
        ...(cpuCredits && { cpuCredits }),
        policies: [
            ...requirePolicies(option, options.policies),
            ...(sessionManager ? [sessionPolicy(region)] : []),
            ...(ecrPulls ? [pullPolicy(region)] : []),
        ],
        architecture: architectureOf(instanceType),
        image: { ...requireImage(imageOption, image ?? shared, region), option: imageOption },
    };
}

/** A controller finds etcd's volume by its NVMe device name, and would wait forever for another one. */
export function requireNitro({ instanceType }: AwsInstance): void {
    if (!isNitro(instanceType)) {
        throw invalid("controllers.instanceType", "of the Nitro system, such as t3.medium", instanceType);
    }
}

/** Images that are looked up have Ignition. */
export function requireOwnImages(os: Aws["os"], instances: readonly AwsInstance[]): void {
    for (const { image } of instances) {
        if (os === "cloud-init" && !("id" in image)) {
            throw invalid(image.option, "an AMI id with os cloud-init", nameOfImage(image));
        }
    }
}

/** An AMI has one architecture; images that are looked up are found for each architecture. */
export function requireOneArchitecture(instances: readonly AwsInstance[]): void {
    const known = new Map<Input<string>, AwsInstance>();
    for (const instance of instances) {
        const { image, architecture, instanceType } = instance;
        if (!("id" in image)) continue;
        const other = known.get(image.id);
        if (other && other.architecture !== architecture) {
            const both = `${other.instanceType} (${other.architecture}) and ${instanceType} (${architecture})`;
            throw conflictsWith(
                image.option,
                `${both}, because an AMI has one architecture: set it per pool`,
                nameOfImage(image),
            );
        }
        known.set(image.id, instance);
    }
}
