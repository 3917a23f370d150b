import type { Diff } from "./diff";
import type { Log } from "./log";
import type { Properties } from "./values";

/** Common to all operations. Secret inputs arrive as plain values; their top-level names are in `secrets`. */
export interface Operation {
    readonly urn: string;
    /** The type token, as `tls:index/privateKey:PrivateKey`. */
    readonly type: string;
    readonly name: string;
    /** Messages appear under the resource in `pulumi up`. */
    readonly log: Log;
    /** Aborted when the user cancels or the engine exits. */
    readonly signal: AbortSignal;
    /** Names of the top-level inputs (of the state, if there are no inputs) that contain a secret. */
    readonly secrets: ReadonlySet<string>;
}

export interface CheckOperation extends Operation {
    readonly inputs: Properties;
    /** Empty on create. */
    readonly oldInputs: Properties;
}

export interface DiffOperation extends Operation {
    readonly id: string;
    readonly inputs: Properties;
    readonly oldInputs: Properties;
    readonly state: Properties;
}

export interface CreateOperation extends Operation {
    readonly inputs: Properties;
    readonly preview: boolean;
    /** Seconds; 0 if the user set none. */
    readonly timeout: number;
}

export interface UpdateOperation extends DiffOperation {
    readonly preview: boolean;
    readonly timeout: number;
}

export interface ReadOperation extends Operation {
    readonly id: string;
    /** Empty on import. */
    readonly inputs: Properties;
    readonly state: Properties;
    /** Seconds; 0 if the user set none. */
    readonly timeout: number;
}

export interface DeleteOperation extends Operation {
    readonly id: string;
    readonly inputs: Properties;
    readonly state: Properties;
    readonly timeout: number;
}

export interface Failure {
    readonly property: string;
    readonly reason: string;
}

/** One kind of resource. Outputs with the name of a secret input are kept secret automatically. */
export interface Resource {
    /** Validates and completes inputs. @default the inputs as they are */
    check?(operation: CheckOperation): Promise<{ inputs: Properties; failures?: Failure[] }>;
    /** @default any changed input is an update, or a replacement if there is no `update` */
    diff?(operation: DiffOperation): Promise<Diff>;
    /** In a preview `id` is ignored, and unknown outputs are {@link UNKNOWN}. */
    create(operation: CreateOperation): Promise<{ id: string; state: Properties }>;
    /** `undefined` if it does not exist. @default the state as recorded */
    read?(operation: ReadOperation): Promise<{ id: string; state: Properties; inputs: Properties } | undefined>;
    update?(operation: UpdateOperation): Promise<Properties>;
    /** @default does nothing */
    delete?(operation: DeleteOperation): Promise<void>;
}

/** A provider plugin. Only called when its configuration is fully known (otherwise the engine responds itself). */
export interface Provider {
    readonly name: string;
    readonly version: string;
    /**
     * Names of the provider's configuration options, all of which are strings: the YAML language host reads them.
     * @default none
     */
    readonly settings?: readonly string[];
    /** Types by their tokens, for programs in YAML, whose host looks them up. @default none */
    readonly types?: Readonly<
        Record<string, { readonly inputs: readonly string[]; readonly outputs: readonly string[] }>
    >;
    /** @throws an error that names the type if this provider does not have it */
    resource(type: string): Resource;
    /** The SDK sends each value that is not a string as JSON text (`"true"`, `"{…}"`). */
    checkConfig?(config: Properties): Promise<{ inputs: Properties; failures?: Failure[] }>;
    /** @default provider changes never replace it */
    diffConfig?(config: Properties, oldConfig: Properties): Promise<Diff>;
    configure?(config: Properties): Promise<void>;
    invoke?(token: string, args: Properties, operation: Pick<Operation, "log" | "signal">): Promise<Properties>;
    /** Called once, before the process exits. */
    close?(): Promise<void>;
}
