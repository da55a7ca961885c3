package io.feedline.formats.remote.internal.http;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The code in a store's error. Messages contain no other text of the error: it may be secret. */
public final class ErrorCode {

  private static final Pattern CODE = Pattern.compile("<Code>([A-Za-z0-9.]{1,64})</Code>");

  /** The documented codes that stores can send in reply to requests of this module. */
  private static final Set<String> KNOWN =
      Set.of(
          """
          AccessDenied AccountProblem AllAccessDisabled AuthenticationFailed
          AuthenticationRequired AuthorizationFailure AuthorizationHeaderMalformed
          AuthorizationPermissionMismatch AuthorizationQueryParametersError BadDigest
          BlobAlreadyExists BlobNotFound BucketAlreadyExists ConditionNotMet
          ConditionalRequestConflict ContainerNotFound EntityTooLarge EntityTooSmall ExpiredToken
          ExpiredTokenException IllegalLocationConstraintException IncompleteBody InternalError
          InvalidAccessKeyId InvalidArgument InvalidAuthenticationInfo InvalidBlockList
          InvalidBucketName InvalidBucketState InvalidDigest InvalidObjectState InvalidPart
          InvalidPartOrder InvalidRange InvalidRequest InvalidSecurity InvalidStorageClass
          InvalidToken InvalidURI KMS.DisabledException KeyBasedAuthenticationNotPermitted
          KeyTooLongError MalformedXML MaxMessageLengthExceeded Md5Mismatch MethodNotAllowed
          MissingContentLength MissingSecurityHeader NoAuthenticationInformation NoSuchBucket
          NoSuchKey NoSuchUpload NoSuchVersion NotImplemented NotSignedUp OperationAborted
          PermanentRedirect PreconditionFailed PublicAccessNotPermitted QuotaExceeded Redirect
          RequestExpired RequestTimeTooSkewed RequestTimeout ResourceNotFound ServerBusy
          ServiceUnavailable SignatureDoesNotMatch SlowDown TargetConditionNotMet
          TemporaryRedirect TokenRefreshRequired TooManyRequests UserSuspended
          XAmzContentSHA256Mismatch
          """
              .split("\\s+"));

  private ErrorCode() {}

  public static String of(byte[] body) {
    Matcher code = CODE.matcher(new String(body, StandardCharsets.UTF_8));
    return code.find() ? code.group(1) : "";
  }

  /** Returns a code if it is a documented code, and empty otherwise. */
  static String known(String code) {
    return KNOWN.contains(code) ? code : "";
  }
}
