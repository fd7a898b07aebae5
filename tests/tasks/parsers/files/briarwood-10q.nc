<SUBMISSION>
<ACCESSION-NUMBER>0000912057-97-027031
<TYPE>10-Q
<PUBLIC-DOCUMENT-COUNT>2
<PERIOD>19970630
<FILING-DATE>19970811
<FILER>
<COMPANY-DATA>
<CONFORMED-NAME>BRIARWOOD INSTRUMENTS INC
<CIK>0000123456
<ASSIGNED-SIC>3826
<STATE-OF-INCORPORATION>DE
<FISCAL-YEAR-END>0331
</COMPANY-DATA>
<BUSINESS-ADDRESS>
<STREET1>12 FOUNDRY STREET
<CITY>WALTHAM
</BUSINESS-ADDRESS>
</FILER>
<DOCUMENT>
<TYPE>10-Q
<SEQUENCE>1
<DESCRIPTION>FORM 10-Q
<TEXT>

<PAGE>
 
                       SECURITIES AND EXCHANGE COMMISSION
                             WASHINGTON, D.C. 20549
                                   FORM 10-Q
 
(MARK ONE)
[X]  QUARTERLY REPORT PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES
     EXCHANGE ACT OF 1934
 
                  FOR THE QUARTERLY PERIOD ENDED JUNE 30, 1997
 
                         COMMISSION FILE NUMBER 0-12345
 
                          BRIARWOOD INSTRUMENTS, INC.
             (Exact name of registrant as specified in its charter)
 
    Indicate by check mark whether the registrant (1) has filed all reports
required to be filed by Section 13 or 15(d) of the Securities Exchange Act of
1934 during the preceding 12 months.  Yes  X   No
 
<PAGE>
                          BRIARWOOD INSTRUMENTS, INC.
                                     INDEX
 
<TABLE>
<CAPTION>
                                                                          PAGE
                                                                          ----
<S>                                                                       <C>
PART I.  FINANCIAL INFORMATION
  Item 1. Financial Statements
     Consolidated Balance Sheets........................................    3
     Consolidated Statements of Income..................................    4
</TABLE>
 
                                       2
<PAGE>
                         PART I.  FINANCIAL INFORMATION
                          BRIARWOOD INSTRUMENTS, INC.
                     CONSOLIDATED STATEMENTS OF INCOME
                     (IN THOUSANDS, EXCEPT PER SHARE DATA)
                                  (UNAUDITED)
 
<TABLE>
<CAPTION>
                                                           THREE MONTHS ENDED
                                                                JUNE 30,
                                                          --------------------
                                                            1997       1996
                                                          ---------  ---------
<S>                                                       <C>        <C>
Net sales...............................................  $  24,310  $  21,877
Cost of sales...........................................     13,004     12,245
                                                          ---------  ---------
  Gross profit..........................................     11,306      9,632
Operating expenses:
  Selling, general and administrative...................      6,120      5,733
  Research and development..............................      2,415      2,101
                                                          ---------  ---------
Operating income........................................      2,771      1,798
Interest expense, net...................................       (112)      (140)
                                                          ---------  ---------
Net income..............................................  $   1,755  $   1,094
                                                          ---------  ---------
                                                          ---------  ---------
Net income per share....................................  $    0.31  $    0.20
</TABLE>
 
     The accompanying notes are an integral part of these consolidated
                             financial statements.
 
                                       4
<PAGE>
ITEM 2.  MANAGEMENT'S DISCUSSION AND ANALYSIS OF FINANCIAL CONDITION AND RESULTS
         OF OPERATIONS
 
    Net sales for the first quarter of fiscal 1998 increased 11% to $24.3
million from $21.9 million in the comparable quarter of the prior year. The
increase reflects higher unit volume of mass spectrometers in Europe.
 
    Gross profit as a percentage of net sales was 46.5% for the three months
ended June 30, 1997, compared with 44.0% for the same period of 1996.
 
                                   SIGNATURES
 
    Pursuant to the requirements of the Securities Exchange Act of 1934, the
registrant has duly caused this report to be signed on its behalf.
 
Date: August 11, 1997              By:  /s/ MARGARET L. COYNE
                                       ------------------------------
                                        Margaret L. Coyne
                                        VICE PRESIDENT AND TREASURER
</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>EX-27
<SEQUENCE>2
<DESCRIPTION>FINANCIAL DATA SCHEDULE
<TEXT>

<TABLE> <S> <C>

<ARTICLE> 5
<LEGEND>
THIS SCHEDULE CONTAINS SUMMARY FINANCIAL INFORMATION EXTRACTED FROM THE
CONSOLIDATED STATEMENTS OF INCOME AND IS QUALIFIED IN ITS ENTIRETY.
</LEGEND>
<MULTIPLIER> 1,000
       
<S>                             <C>
<PERIOD-TYPE>                   3-MOS
<FISCAL-YEAR-END>                          MAR-31-1998
<PERIOD-START>                             APR-01-1997
<PERIOD-END>                               JUN-30-1997
<CASH>                                           5,210
<SALES>                                         24,310
<TOTAL-REVENUES>                                24,310
<NET-INCOME>                                     1,755
<EPS-PRIMARY>                                      .31
<EPS-DILUTED>                                      .31
        

</TABLE>
</TEXT>
</DOCUMENT>
</SUBMISSION>
