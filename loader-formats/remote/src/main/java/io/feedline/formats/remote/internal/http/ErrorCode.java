package io.feedline.formats.remote.internal.http;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The code in an error of S3, {@code <Error><Code>NoSuchKey</Code>...}. The rest is not looked at:
 * a server may repeat there what it was sent, and that must not get into a message. Nor does a code
 * that is not one of S3's.
 */
public final class ErrorCode {

  private static final Pattern CODE = Pattern.compile("<Code>([A-Za-z0-9.]{1,64})</Code>");

  /** Those of S3's documentation that requests like ours meet. */
  private static final Set<String> KNOWN =
      Set.of(
          "AccessDenied",
          "AccountProblem",
          "AllAccessDisabled",
          "AuthorizationHeaderMalformed",
          "AuthorizationQueryParametersError",
          "BadDigest",
          "BucketAlreadyExists",
          "ConditionalRequestConflict",
          "EntityTooLarge",
          "EntityTooSmall",
          "ExpiredToken",
          "ExpiredTokenException",
          "IllegalLocationConstraintException",
          "IncompleteBody",
          "InternalError",
          "InvalidAccessKeyId",
          "InvalidArgument",
          "InvalidBucketName",
          "InvalidBucketState",
          "InvalidDigest",
          "InvalidObjectState",
          "InvalidPart",
          "InvalidPartOrder",
          "InvalidRange",
          "InvalidRequest",
          "InvalidSecurity",
          "InvalidStorageClass",
          "InvalidToken",
          "InvalidURI",
          "KMS.DisabledException",
          "KeyTooLongError",
          "MalformedXML",
          "MaxMessageLengthExceeded",
          "MethodNotAllowed",
          "MissingContentLength",
          "MissingSecurityHeader",
          "NoSuchBucket",
          "NoSuchKey",
          "NoSuchUpload",
          "NoSuchVersion",
          "NotImplemented",
          "NotSignedUp",
          "OperationAborted",
          "PermanentRedirect",
          "PreconditionFailed",
          "QuotaExceeded",
          "Redirect",
          "RequestExpired",
          "RequestTimeTooSkewed",
          "RequestTimeout",
          "ServerBusy",
          "ServiceUnavailable",
          "SignatureDoesNotMatch",
          "SlowDown",
          "TemporaryRedirect",
          "TokenRefreshRequired",
          "TooManyRequests",
          "UserSuspended",
          "XAmzContentSHA256Mismatch");

  private ErrorCode() {}

  /** The code in a body; empty if absent. */
  public static String of(byte[] body) {
    Matcher code = CODE.matcher(new String(body, StandardCharsets.UTF_8));
    return code.find() ? code.group(1) : "";
  }

  /** The code in a body as part of a message; empty if absent that is known. */
  static String words(byte[] body) {
    String code = of(body);
    return KNOWN.contains(code) ? code : "";
  }
}
