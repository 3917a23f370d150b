/** Why the API does not admit a write, parsed from its message. */
export interface AdmissionRefusal {
    readonly kind:
        | "webhook-failure"
        | "webhook"
        | "policy"
        | "mutating-policy"
        | "quota"
        | "limit-range"
        | "pod-security";
    /** Name of the webhook, the policy binding or the quota. @default - not in the message */
    readonly name?: string;
    /** Message of the webhook, the policy or the API. */
    readonly detail: string;
}

/**
 * The messages of Kubernetes 1.34 to 1.36: apiserver's pkg/util/webhook/error.go, webhook/errors/statuserror.go,
 * policy/validating/dispatcher.go, policy/generic/policy_dispatcher.go and resourcequota/controller.go, limitranger's and
 * pod-security-admission's admission.go.
 */
const forms: readonly { readonly kind: AdmissionRefusal["kind"]; readonly form: RegExp }[] = [
    { kind: "webhook-failure", form: /failed calling webhook "(?<name>[^"]+)"[:;] (?<detail>.*)/s },
    { kind: "webhook-failure", form: /(?<detail>admission webhook "(?<name>[^"]+)" does not support dry run)/s },
    { kind: "webhook", form: /admission webhook "(?<name>[^"]+)" denied the request:? ?(?<detail>.*)/s },
    {
        kind: "policy",
        form: /ValidatingAdmissionPolicy '(?<policy>[^']+)'(?: with binding '(?<name>[^']+)')? denied request: (?<detail>.*)/s,
    },
    {
        kind: "mutating-policy",
        form: /\bpolicy '(?<policy>[^']+)' with binding '(?<name>[^']+)' denied request: (?<detail>.*)/s,
    },
    { kind: "quota", form: /(?<detail>(?:exceeded|failed) quota: (?<name>[^,:\s]+).*)/s },
    { kind: "quota", form: /(?<detail>status unknown for quota: (?<name>[^,:\s]+).*)/s },
    {
        kind: "limit-range",
        form: /(?<detail>(?:(?:maximum|minimum) \S+ usage|\S+ max limit to request ratio) per (?:Container|Pod) is .*)/s,
    },
    // Default limits are set before a pod is validated, and limits are checked afterwards.
    {
        kind: "limit-range",
        form: /(?<detail>requests: Invalid value: .* must be less than or equal to \S+ limit of .*)/s,
    },
    { kind: "pod-security", form: /(?<detail>violates PodSecurity "(?<name>[^"]+)".*)/s },
];

/** Parses an API error message; undefined if it is not about admission. */
export function admissionRefusal(message: string): AdmissionRefusal | undefined {
    for (const { kind, form } of forms) {
        const groups = form.exec(message)?.groups;
        if (groups !== undefined) {
            const { name, detail = "" } = groups;
            return { kind, ...(name && { name }), detail: detail.replace(/[\s\]]+$/, "") };
        }
    }
    return undefined;
}
