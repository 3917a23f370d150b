/**
 * Kubernetes objects as the API returns them: only the fields that we read, optional where the API may omit them.
 *
 * Not Pulumi's types, because agents must not import Pulumi, nor those of `@kubernetes/client-node`, which make every
 * field optional.
 */
export interface ApiObject {
    readonly metadata: Metadata;
}

/** An object with its kind, which items of a list lack. */
export interface Typed extends ApiObject {
    readonly apiVersion: string;
    readonly kind: string;
}

/** Fields that the API always sends, but few readers need, are optional here and below: see {@link With}. */
export interface Metadata {
    readonly name: string;
    /** @default - it is cluster-wide */
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly generation?: number;
    readonly creationTimestamp?: string;
    /** When its deletion began. */
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly Owner[];
    readonly managedFields?: readonly ManagedFields[];
}

/** An object whose reader needs these fields, which the API always sends: `With<Node, "uid">`. */
export type With<T extends ApiObject, Fields extends keyof Metadata> = T & {
    readonly metadata: Required<Pick<Metadata, Fields>>;
};

export interface Owner {
    readonly kind: string;
    readonly name: string;
    readonly uid?: string;
    readonly controller?: boolean;
}

/** Which manager owns which fields of an object, as recorded by server-side apply. */
export interface ManagedFields {
    readonly manager?: string;
    readonly operation?: "Apply" | "Update";
    readonly subresource?: string;
    readonly apiVersion?: string;
    readonly time?: string;
    readonly fieldsType?: string;
    readonly fieldsV1?: FieldTree;
}

/**
 * A tree of fields: `f:name` is a property, `k:{"name":"x"}` and `v:"x"` are list items, and an empty tree is owned as
 * a whole.
 */
export interface FieldTree {
    readonly [step: string]: FieldTree;
}

export interface List<T> {
    readonly items: readonly T[];
    /** `continue` is the token of the next page. */
    readonly metadata?: { readonly continue?: string; readonly resourceVersion?: string };
}

/** The answer of `/version`. */
export interface Version {
    /** `v1.36.3` */
    readonly gitVersion: string;
}

/** Whatever else the API sends. */
export type Fields = Readonly<Record<string, unknown>>;

export interface Condition {
    readonly type: string;
    readonly status: string;
    readonly reason?: string;
    readonly message?: string;
    readonly lastTransitionTime?: string;
}

/** Status of a Node, Pod or Job. */
export interface Conditions {
    readonly conditions?: readonly Condition[];
}

export interface Node extends ApiObject {
    readonly spec?: {
        readonly unschedulable?: boolean;
        readonly podCIDRs?: readonly string[];
        readonly taints?: readonly { readonly key: string }[];
        readonly providerID?: string;
    };
    readonly status?: Conditions & {
        readonly addresses?: readonly { readonly type: string; readonly address: string }[];
        readonly nodeInfo?: {
            readonly kubeletVersion: string;
            readonly containerRuntimeVersion?: string;
            readonly architecture?: string;
            readonly machineID?: string;
            readonly bootID?: string;
        };
    };
}

export interface Pod extends ApiObject {
    readonly spec: PodSpec;
    readonly status?: Conditions & {
        readonly phase?: string;
        readonly reason?: string;
        readonly podIP?: string;
        readonly startTime?: string;
        readonly initContainerStatuses?: readonly ContainerStatus[];
        readonly containerStatuses?: readonly ContainerStatus[];
    };
}

/** Open: the checkpointer copies fields that nothing else reads. */
export interface PodSpec extends Fields {
    readonly nodeName?: string;
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly volumes?: readonly Volume[];
    readonly securityContext?: SecurityContext;
}

export interface Container extends Fields {
    readonly name: string;
    readonly image: string;
    readonly command?: readonly string[];
    readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: Fields }[];
    readonly envFrom?: readonly Fields[];
    readonly resources?: { readonly requests?: Fields; readonly limits?: Fields; readonly claims?: unknown };
    readonly volumeMounts?: readonly (Fields & { readonly name: string; readonly readOnly?: boolean })[];
    readonly readinessProbe?: { readonly httpGet?: HttpGet };
    readonly securityContext?: SecurityContext;
}

export interface HttpGet {
    readonly host?: string;
    readonly port: number | string;
    readonly path?: string;
    readonly scheme?: string;
}

export interface SecurityContext extends Fields {
    readonly runAsUser?: number;
    readonly runAsGroup?: number;
    readonly fsGroup?: number;
}

export interface Volume extends Fields {
    readonly name: string;
    readonly image?: { readonly reference?: string };
    readonly configMap?: { readonly name?: string };
    readonly projected?: { readonly sources?: readonly Pick<Volume, "configMap">[] };
    readonly persistentVolumeClaim?: { readonly claimName: string };
    readonly hostPath?: { readonly path: string; readonly type?: string };
    readonly emptyDir?: { readonly medium?: string };
    readonly ephemeral?: object;
}

export interface ContainerStatus {
    readonly name: string;
    readonly ready: boolean;
    readonly restartCount?: number;
    readonly containerID?: string;
    /** The image that it runs: `<repository>@sha256:…`, or `sha256:…` if it has no repository. */
    readonly imageID?: string;
    readonly state?: ContainerState;
    readonly lastState?: ContainerState;
}

/** One of these, or none if nothing is known. */
export interface ContainerState {
    readonly running?: { readonly startedAt?: string };
    readonly waiting?: Pick<Condition, "reason" | "message">;
    readonly terminated?: Pick<Condition, "reason" | "message"> & { readonly exitCode: number };
}

export interface DaemonSet extends ApiObject {
    readonly spec?: {
        readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> };
        readonly template: { readonly metadata?: Partial<Metadata>; readonly spec: PodSpec };
    };
    readonly status?: {
        readonly observedGeneration?: number;
        readonly desiredNumberScheduled?: number;
        readonly currentNumberScheduled?: number;
        readonly updatedNumberScheduled?: number;
        readonly numberReady?: number;
    };
}

export interface Deployment extends ApiObject {
    readonly spec?: { readonly replicas?: number };
    readonly status?: {
        readonly replicas?: number;
        readonly readyReplicas?: number;
        readonly availableReplicas?: number;
    };
}

export interface Job extends ApiObject {
    readonly spec?: { readonly template: { readonly spec: PodSpec } };
    readonly status?: Conditions & { readonly active?: number; readonly succeeded?: number };
}

export interface Lease extends ApiObject {
    readonly spec?: {
        readonly holderIdentity?: string;
        readonly leaseDurationSeconds?: number;
        readonly leaseTransitions?: number;
        /** When its holder became the leader. */
        readonly acquireTime?: string;
        readonly renewTime?: string;
    };
}

export interface ConfigMap extends ApiObject {
    readonly data?: Readonly<Record<string, string>>;
}

export interface Secret extends ApiObject {
    readonly type?: string;
    /** In base64. */
    readonly data?: Readonly<Record<string, string>>;
}

export interface Event extends ApiObject {
    readonly involvedObject: { readonly kind?: string; readonly name?: string };
    readonly message?: string;
    readonly source?: { readonly component?: string };
    readonly lastTimestamp?: string;
}

export interface Service extends ApiObject {
    readonly spec: { readonly type?: string };
    readonly status?: {
        readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] };
    };
}

export interface EndpointSlice extends ApiObject {
    readonly endpoints?: readonly { readonly conditions?: { readonly ready?: boolean } }[] | null;
}

export interface PersistentVolumeClaim extends ApiObject {
    readonly spec: { readonly volumeName?: string };
}

export interface PersistentVolume extends ApiObject {
    readonly spec: {
        readonly persistentVolumeReclaimPolicy?: string;
        readonly claimRef?: { readonly namespace: string; readonly name: string };
        readonly csi?: { readonly driver: string; readonly volumeHandle: string };
        readonly hostPath?: { readonly path: string };
        readonly nodeAffinity?: { readonly required?: { readonly nodeSelectorTerms?: readonly NodeTerm[] } };
    };
    readonly status?: { readonly phase?: string; readonly message?: string };
}

/** A term of a node selector. */
export interface NodeTerm {
    readonly matchExpressions?: readonly NodeRequirement[];
    readonly matchFields?: readonly NodeRequirement[];
}

export interface NodeRequirement {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
}

export interface CertificateSigningRequest extends ApiObject {
    readonly spec: {
        /** PEM in base64. */
        readonly request: string;
        readonly signerName: string;
        /** The authenticated user. */
        readonly username?: string;
        readonly groups?: readonly string[];
        readonly usages?: readonly string[];
    };
    readonly status?: { readonly conditions?: readonly Pick<Condition, "type">[] };
}

/** A ValidatingWebhookConfiguration or MutatingWebhookConfiguration. */
export interface WebhookConfiguration extends ApiObject {
    readonly webhooks?: readonly {
        readonly name: string;
        readonly failurePolicy?: string;
        readonly rules?: readonly WebhookRule[];
        readonly namespaceSelector?: LabelSelector;
        readonly objectSelector?: LabelSelector;
        readonly matchConditions?: readonly object[];
        readonly clientConfig: { readonly service?: { readonly namespace: string; readonly name: string } };
    }[];
}

export interface WebhookRule {
    readonly apiGroups?: readonly string[];
    readonly operations?: readonly string[];
    readonly resources?: readonly string[];
    readonly scope?: string;
}

export interface LabelSelector {
    readonly matchLabels?: Readonly<Record<string, string>>;
    readonly matchExpressions?: readonly {
        readonly key: string;
        readonly operator: string;
        readonly values?: readonly string[];
    }[];
}

/** The usual notation: `default/web`, or `node-1` for what is cluster-wide. */
export function nameOf({ metadata: { namespace, name } }: ApiObject): string {
    return namespace === undefined ? name : `${namespace}/${name}`;
}

/** `DaemonSet kube-system/kube-proxy`. */
export function titleOf(object: Typed): string {
    return `${object.kind} ${nameOf(object)}`;
}

/** Names of objects, for messages. */
export function namesOf(objects: readonly ApiObject[]): string {
    return objects.map(({ metadata }) => metadata.name).join(", ");
}

export function condition(status: Conditions | undefined, type: string): Condition | undefined {
    return status?.conditions?.find((each) => each.type === type);
}

/** Whether a Node or Pod is ready according to its kubelet, whose report may be outdated. */
export function isReady(status: Conditions | undefined): boolean {
    return condition(status, "Ready")?.status === "True";
}

/** The owner that manages an object. */
export function controllerOf({ metadata }: Pick<ApiObject, "metadata">): Owner | undefined {
    return metadata.ownerReferences?.find(({ controller }) => controller);
}
