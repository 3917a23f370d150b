import { architectureOf, instanceTypes } from "../../offers";
import { type Action, look } from "../query/action";
import { textOf, textsOf } from "../query/params";

const describeInstanceTypes = look("ec2:DescribeInstanceTypes", ({ params }) => {
    const asked = textsOf(params, "InstanceType");
    const unknown = asked.find((type) => !instanceTypes[type]);
    if (unknown !== undefined) throw new Error(`InvalidInstanceType: The instance type '${unknown}' is not simulated`);
    const found = Object.entries(instanceTypes).filter(([type]) => asked.length === 0 || asked.includes(type));
    return {
        instanceTypeSet: found.map(([instanceType, { cpus, memory }]) => ({
            instanceType,
            vCpuInfo: { defaultVCpus: cpus },
            memoryInfo: { sizeInMiB: memory },
            processorInfo: { supportedArchitectures: [architectureOf(instanceType)] },
        })),
    };
});

const describeLaunchTemplateVersions = look("ec2:DescribeLaunchTemplateVersions", ({ account, params }) => {
    const name = textOf(params, "LaunchTemplateName");
    const templates = Object.entries(account.resources.launchTemplates);
    const [id, { versions }] =
        templates.find(([, each]) => each.name === name) ??
        fail(`InvalidLaunchTemplateName.NotFoundException: The launch template ${name} does not exist`);
    const asked = textsOf(params, "LaunchTemplateVersion");
    const unknown = asked.find((version) => !versions[Number(version) - 1]);
    if (unknown !== undefined) {
        fail(`InvalidLaunchTemplateId.VersionNotFound: Could not find version ${unknown} of ${name}`);
    }
    return {
        launchTemplateVersionSet: asked.map((version) => ({
            launchTemplateId: id,
            launchTemplateName: name,
            versionNumber: version,
            launchTemplateData: said(versions[Number(version) - 1]!),
        })),
    };
});

function said({ ami, instanceType }: { readonly ami: string; readonly instanceType: string }) {
    return { imageId: ami, instanceType };
}

function fail(message: string): never {
    throw new Error(message);
}

/** Describes the instances that a group would launch. */
export const launchActions: Readonly<Record<string, Action>> = {
    DescribeInstanceTypes: describeInstanceTypes,
    DescribeLaunchTemplateVersions: describeLaunchTemplateVersions,
};
