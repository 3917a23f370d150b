/** Only with a token, and from the machine itself: a packet of a pod's network has one hop more. */
export const metadataOptions = { httpEndpoint: "enabled", httpTokens: "required", httpPutResponseHopLimit: 1 };

export const volumeType = "gp3";
