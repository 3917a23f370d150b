import type { Properties } from "../../plugins/protocol/serve";
import { listOf, oneOf, type Rule, required, text } from "../shared/inputs";
import type { Simulated } from "../shared/simulated";
import type { Account, InstanceSpec } from "./account";
import type { Tags } from "./created";
import { creditSpecification, isBlockDevice, requireCredits } from "./ebs";
import { ami, hopsOf, instanceType, metadataOptions, metadataTagsOf, requireRoot, userDataBase64 } from "./instance";
import { requireSpec } from "./instances";
import { rootDeviceOfImage } from "./offers";
import { exactly, has, ids, is, tags } from "./rules";

const isVolume = (value: unknown) => isBlockDevice(value, { encrypted: is("true"), deleteOnTermination: is("true") });

const userData: Rule = { ...userDataBase64, isRequired: true };

/** A launch template; every change creates a new version. */
export const launchTemplate: Simulated<Account> = {
    inputs: {
        name: text("a template's name", /^[A-Za-z0-9().\-/_]{3,128}$/, required),
        imageId: ami,
        instanceType,
        // Or those of its interface.
        vpcSecurityGroupIds: ids("sg"),
        networkInterfaces: {
            legal: "one interface with all security groups, and without a public address",
            isLegal: (value: unknown) => Array.isArray(value) && value.length === 1 && isPrivateInterface(value[0]),
        },
        iamInstanceProfile: {
            legal: "an instance profile's ARN",
            isLegal: (value: unknown) => has(value, { arn: (each) => /^arn:aws:iam::/.test(String(each)) }),
            isRequired: true,
        },
        metadataOptions,
        creditSpecification,
        blockDeviceMappings: listOf("encrypted volumes", (value: unknown) =>
            has(value, { deviceName: is("/dev/xvda", "/dev/sda1"), ebs: isVolume }),
        ),
        userData,
        tagSpecifications: listOf("tags of instances and volumes", (value: unknown) =>
            has(value, {
                resourceType: is("instance", "volume"),
                tags: (each) => tags.isLegal(each as never),
            }),
        ),
        privateDnsNameOptions: exactly({
            hostnameType: is("resource-name"),
            enableResourceNameDnsARecord: is(undefined, true, false),
        }),
        updateDefaultVersion: oneOf([true]),
        tags,
    },
    outputs: ["arn", "latestVersion"],
    updated: ["latestVersion"],
    async create(account, inputs) {
        if (account.all("launchTemplates").some(({ name }) => name === inputs.name)) {
            throw new Error(`InvalidLaunchTemplateName.AlreadyExistsException: ${inputs.name} is in use`);
        }
        const created = account.newId("lt");
        account.put("launchTemplates", created, { name: String(inputs.name), versions: [specOf(account, inputs)] });
        return { id: created, outputs: { arn: account.arn("ec2", `launch-template/${created}`), latestVersion: 1 } };
    },
    async update(account, templateId, inputs) {
        const before = account.find("launchTemplates", templateId);
        const versions = [...before.versions, specOf(account, inputs)];
        account.put("launchTemplates", templateId, { ...before, versions });
        return { latestVersion: versions.length };
    },
    async delete(account, templateId) {
        account.remove("launchTemplates", templateId);
    },
};

function specOf(account: Account, inputs: Properties): InstanceSpec {
    const { arn } = inputs.iamInstanceProfile as { arn: string };
    const spec = {
        ami: String(inputs.imageId),
        instanceType: String(inputs.instanceType),
        userData: Buffer.from(String(inputs.userData), "base64").toString("latin1"),
        profile: arn.split("/").at(-1)!,
        ...interfaceOf(inputs),
        metadataHops: hopsOf(inputs),
        metadataTags: metadataTagsOf(inputs),
        tags: instanceTags(inputs),
    };
    requireSpec(account, spec);
    const root = rootDeviceOfImage(account.state.amis[spec.ami]!);
    const [{ deviceName, ebs }] = inputs.blockDeviceMappings as [{ deviceName: string; ebs: Properties }];
    requireRoot(ebs);
    requireCredits(inputs.instanceType, inputs.creditSpecification);
    if (deviceName !== root)
        throw new Error(`a volume in addition to the root's ${root} is not simulated (got ${deviceName})`);
    return spec;
}

const isPrivateInterface = (value: unknown) =>
    has(value, {
        deviceIndex: is(0),
        associatePublicIpAddress: is("false"),
        securityGroups: (each) => Array.isArray(each) && each.length > 0,
    });

/** EC2 takes the groups of the template or those of its interfaces. */
function interfaceOf({
    vpcSecurityGroupIds,
    networkInterfaces,
}: Properties): Pick<InstanceSpec, "groups" | "isPublic"> {
    if (Boolean(vpcSecurityGroupIds) === Boolean(networkInterfaces)) {
        throw new Error(
            "InvalidParameterCombination: Network interfaces and an instance-level security groups may not be specified on the same request",
        );
    }
    if (!networkInterfaces) return { groups: vpcSecurityGroupIds as string[] };
    const [{ securityGroups }] = networkInterfaces as [{ securityGroups: string[] }];
    return { groups: securityGroups, isPublic: false };
}

function instanceTags({ tagSpecifications = [] }: Properties): Tags {
    const all = tagSpecifications as { readonly resourceType: string; readonly tags: Tags }[];
    return Object.assign({}, ...all.filter(({ resourceType }) => resourceType === "instance").map(({ tags }) => tags));
}
