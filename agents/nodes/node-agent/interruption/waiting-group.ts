import { askMetadata, instanceRole } from "../../../../clients/aws/instance-metadata";
import { AwsRefusal, type QueryForm, queryAws } from "../../../../clients/aws/query";
import { describeError } from "../../../../clients/kubernetes/api-error";
import type { WaitingGroup } from "../plan";

/** Error of the service if it is not, or no longer, waiting for an instance. */
const isOver = /^ValidationError: No active Lifecycle Action found/;

/** Milliseconds between a failed attempt and the next one. */
const againMilliseconds = 5_000;

/** Tells the Auto Scaling group of this instance that it may terminate it. */
export class Release {
    #isDone = false;
    #triedAt = -againMilliseconds;

    /** @param metadata - URL of the metadata service, without a path */
    constructor(
        private readonly group: WaitingGroup,
        private readonly metadata: string,
        private readonly log: (line: string) => void,
        private readonly now: () => number = () => performance.now(),
    ) {}

    /** Retried until it succeeds once. Without it the group continues by itself after its timeout. */
    async give(): Promise<void> {
        if (this.#isDone || this.now() - this.#triedAt < againMilliseconds) return;
        this.#triedAt = this.now();
        try {
            await this.#tell();
            this.#isDone = true;
            this.log(`released the Auto Scaling group ${this.group.name} to terminate this machine`);
        } catch (error) {
            this.log(`could not release the Auto Scaling group to terminate this machine: ${describeError(error)}`);
        }
    }

    async #tell(): Promise<void> {
        const { service: url, region } = this.group;
        const metadata = await askMetadata(this.metadata);
        const form = completion(this.group, await metadata("/latest/meta-data/instance-id"));
        try {
            await queryAws({ url, service: "autoscaling", region }, form, await instanceRole(this.metadata));
        } catch (error) {
            if (!(error instanceof AwsRefusal && isOver.test(error.why))) throw error;
        }
    }
}

export function completion({ name, hook }: WaitingGroup, instance: string): QueryForm {
    return {
        Action: "CompleteLifecycleAction",
        Version: "2011-01-01",
        AutoScalingGroupName: name,
        LifecycleHookName: hook,
        InstanceId: instance.trim(),
        LifecycleActionResult: "CONTINUE",
    };
}
