import { type Ec2Instance, groupInstance, instancesIn } from "../../../clients/aws/ec2-instances";
import { cachedRole } from "../../../clients/aws/instance-metadata";
import { type AwsCredentials, filters, type QueryForm, queryAws } from "../../../clients/aws/query";
import type { CloudMachines, Machine } from "./cloud";
import type { AwsPlace } from "./plan";

/** Instances of the cluster, with the permissions of the controllers' role: those with the cluster's tag. */
export class Ec2Machines implements CloudMachines {
    constructor(
        private readonly place: AwsPlace,
        private readonly credentials: () => Promise<AwsCredentials> = cachedRole(),
    ) {}

    /** EC2 cuts the power of an instance that does not shut down within a few minutes. */
    async restarting(machine: Machine): Promise<string | undefined> {
        const instance = await this.#find(machine);
        if (isEnding(instance)) return undefined;
        if (instance.state !== "running") return `its instance ${instance.id} is ${instance.state}`;
        await this.#ec2({ Action: "RebootInstances", "InstanceId.1": instance.id });
        return undefined;
    }

    /** Its group launches another one. */
    async replacing(machine: Machine): Promise<string | undefined> {
        const instance = await this.#find(machine);
        if (isEnding(instance)) return undefined;
        const { autoScaling: url, region } = this.place;
        const form = {
            Action: "TerminateInstanceInAutoScalingGroup",
            Version: "2011-01-01",
            InstanceId: instance.id,
            ShouldDecrementDesiredCapacity: "false",
        };
        await queryAws({ url, service: "autoscaling", region }, form, await this.credentials());
        return undefined;
    }

    async #find({ name, isController }: Machine): Promise<Ec2Instance> {
        const { namePattern, clusterTag } = this.place;
        const id = isController ? undefined : groupInstance(name, namePattern);
        const which: Record<string, string> = id === undefined ? { "tag:Name": name } : { "instance-id": id };
        const form = { Action: "DescribeInstances", ...filters({ [`tag:${clusterTag}`]: "owned", ...which }) };
        const found = instancesIn(await this.#ec2(form));
        // A replaced controller's instance is described for an hour after its end.
        const [instance, other] = id === undefined ? found.filter((each) => !isEnding(each)) : found;
        if (instance === undefined) throw new Error(`EC2 lists no instance of ${name} with the tag ${clusterTag}`);
        if (other !== undefined) throw new Error(`EC2 lists several instances of ${name}: ${instance.id}, ${other.id}`);
        return instance;
    }

    async #ec2(form: Omit<QueryForm, "Version">): Promise<string> {
        const { ec2: url, region } = this.place;
        const versioned = { ...form, Version: "2016-11-15" } as QueryForm;
        return queryAws({ url, service: "ec2", region }, versioned, await this.credentials());
    }
}

function isEnding({ state }: Ec2Instance): boolean {
    return state === "shutting-down" || state === "terminated";
}
