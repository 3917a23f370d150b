import { administrators } from "../../agents/boot/receiver/assets";

/** The certificate's number and the option. */
interface Administrator {
    readonly administrator: number;
    readonly administratorGroup: string;
}

/** A group that has all permissions by a ClusterRoleBinding. */
export const revocable = "tradewind:administrators";

/** Legal groups of the administrator's certificate. */
export const administratorGroups = [revocable, administrators] as const;

/**
 * The group of the administrator's certificate if a binding gives it its permissions. It has the certificate's number,
 * so that reissuing revokes the previous one.
 */
export function boundAdministrators({ administrator, administratorGroup }: Administrator): string | undefined {
    if (administratorGroup !== revocable) return undefined;
    return administrator === 1 ? revocable : `${revocable}-${administrator}`;
}
