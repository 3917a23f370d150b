import { askMetadata, instanceRole } from "../../../../clients/aws/instance-metadata";
import { AwsRefusal, type QueryForm, queryAws } from "../../../../clients/aws/query";
import { describeError } from "../../../../clients/kubernetes/api-error";
import type { WaitingGroup } from "../plan";

/** What the service says of an instance with which it does not wait: not any more, or never. */
const isOver = /^ValidationError: No active Lifecycle Action found/;

/** Milliseconds after a try that failed until the next one. */
const againMilliseconds = 5_000;

/** Tells the Auto Scaling group of this instance that it may end it. */
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

    /** Once is enough, and it is tried until then. A group that does not hear of it goes on by itself when its time is over. */
    async give(): Promise<void> {
        if (this.#isDone || this.now() - this.#triedAt < againMilliseconds) return;
        this.#triedAt = this.now();
        try {
            await this.#tell();
            this.#isDone = true;
            this.log(`the Auto Scaling group ${this.group.name} may end this machine`);
        } catch (error) {
            this.log(`the Auto Scaling group could not be told that it may end this machine: ${describeError(error)}`);
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
